import { Group, Text } from '@mantine/core';

/** Sign and name of the product. */
export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/favicon.svg" width={28} height={28} alt="" />
      <Text fw={650} size="lg">
        Keycard
      </Text>
    </Group>
  );
}
