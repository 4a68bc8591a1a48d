import { Stack, Text } from '@mantine/core';
import { formatDuration, pluralize } from '../../../lib/format-numbers.js';
import type { Comparison } from './compare-texts.js';
import { HeatMap } from './HeatMap.js';

/** The heat map and figures of the request. */
export function ComparisonResult({ comparison }: { comparison: Comparison }) {
  const { texts, similarities, dimensions, tokens, milliseconds } = comparison;
  const figures = [pluralize(dimensions, 'dimension'), pluralize(tokens, 'token'), formatDuration(milliseconds)];
  return (
    <Stack gap="sm">
      <HeatMap texts={texts} similarities={similarities} />
      <Text size="sm" c="dimmed">
        1 = same meaning, 0 = unrelated
      </Text>
      <Text size="sm" c="dimmed" role="status">
        {figures.join(' · ')}
      </Text>
    </Stack>
  );
}
