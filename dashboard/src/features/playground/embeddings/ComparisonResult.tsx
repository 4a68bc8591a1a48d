import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatDuration, pluralize } from '../../../lib/format-numbers.js';
import type { Comparison } from './compare-texts.js';
import { HeatMap } from './HeatMap.js';

/** The heat map and figures of the request. */
export function ComparisonResult({ comparison }: { comparison: Comparison }) {
  const { texts, similarities, dimensions, tokens, milliseconds, hasUnknownText } = comparison;
  const figures = [pluralize(dimensions, 'dimension'), pluralize(tokens, 'token'), formatDuration(milliseconds)];
  return (
    <Stack gap="sm">
      {hasUnknownText && (
        <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
          The model doesn&apos;t know the language or the words of some texts. Their similarity means nothing.
        </Alert>
      )}
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
