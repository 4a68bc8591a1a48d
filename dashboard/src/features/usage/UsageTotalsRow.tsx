import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { UsageTotals } from '../../api/schema.js';
import {
  pluralize,
  formatCount,
  formatFigure,
  formatMilliseconds,
  formatOptional,
  formatShare,
} from '../../lib/format-numbers.js';

interface Figure {
  label: string;
  value: (totals: UsageTotals) => string;
  /** The full value, if `value` may be shortened. */
  exactValue?: (totals: UsageTotals) => string;
  note: (totals: UsageTotals) => string;
}

const figures: Figure[] = [
  {
    label: 'Requests',
    value: ({ requests }) => formatFigure(requests),
    exactValue: ({ requests }) => formatCount(requests),
    note: ({ requests, failures }) => `${formatFigure(requests - failures)} succeeded`,
  },
  {
    label: 'Failures',
    value: ({ requests, failures }) => formatShare(failures, requests),
    note: ({ failures }) => pluralize(failures, 'request'),
  },
  {
    label: 'Limited',
    value: ({ limited }) => formatFigure(limited),
    exactValue: ({ limited }) => formatCount(limited),
    note: () => 'Rejected by a limit',
  },
  {
    label: 'Input tokens',
    value: ({ inputTokens }) => formatFigure(inputTokens),
    exactValue: ({ inputTokens }) => formatCount(inputTokens),
    note: () => 'From embeddings',
  },
  {
    label: 'Pages',
    value: ({ pages }) => formatFigure(pages),
    exactValue: ({ pages }) => formatCount(pages),
    note: () => 'From OCR',
  },
  {
    label: 'Average latency',
    value: ({ meanMilliseconds }) => formatOptional(meanMilliseconds, formatMilliseconds),
    note: ({ p95Milliseconds }) => `95th percentile: ~${formatOptional(p95Milliseconds, formatMilliseconds)}`,
  },
];

/** Totals of the whole range, with placeholders while loading. */
export function UsageTotalsRow({ totals }: { totals: UsageTotals | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="md" mb="md">
      {figures.map(({ label, value, exactValue, note }) => (
        <Paper key={label} withBorder p="md" role="group" aria-label={label}>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          {totals === undefined ? (
            <Skeleton h={28} mt={8} w="60%" />
          ) : (
            <>
              <Text fz={{ base: 20, xs: 26 }} fw={600} lh={1.3} title={exactValue?.(totals)}>
                {value(totals)}
              </Text>
              <Text size="xs" c="dimmed">
                {note(totals)}
              </Text>
            </>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
