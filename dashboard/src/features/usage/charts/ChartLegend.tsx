import { ColorSwatch, Group, Text } from '@mantine/core';
import type { Series } from './series.js';

/** Maps colors to series. */
export function ChartLegend({ series }: { series: Pick<Series, 'key' | 'label'>[] }) {
  return (
    <Group gap="md" aria-hidden>
      {series.map(({ key, label }) => (
        <Group key={key} gap={6} wrap="nowrap">
          <ColorSwatch color={`var(--${key})`} size={10} withShadow={false} />
          <Text size="xs" c="dimmed" maw={200} truncate>
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
