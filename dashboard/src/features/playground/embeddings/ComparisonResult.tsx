import { Stack, Text } from '@mantine/core';
import { countOf } from '../../../lib/format-numbers.js';
import { formatDuration } from '../format-duration.js';
import type { Comparison } from './compare-texts.js';
import { HeatMap } from './HeatMap.js';

/** The heat map, and what it took. */
export function ComparisonResult({ comparison }: { comparison: Comparison }) {
  const { texts, similarities, dimensions, tokens, milliseconds } = comparison;
  const numbers = [countOf(dimensions, 'dimension'), countOf(tokens, 'token'), formatDuration(milliseconds)];
  return (
    <Stack gap="sm">
      <HeatMap texts={texts} similarities={similarities} />
      <Text size="sm" c="dimmed">
        1 stands for the same meaning, 0 for nothing in common.
      </Text>
      <Text size="sm" c="dimmed" role="status">
        {numbers.join(' · ')}
      </Text>
    </Stack>
  );
}
