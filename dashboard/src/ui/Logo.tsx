import { Group, Text } from '@mantine/core';

/** The logo and product name. */
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
