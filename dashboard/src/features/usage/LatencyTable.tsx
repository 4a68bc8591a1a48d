import { Paper, Text, Title } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { formatCount, formatLatency, formatOptional, pluralize } from '../../lib/format-numbers.js';
import type { LabelledGroup } from './charts/series.js';

/** How long requests took, by model. */
export function LatencyTable({ models }: { models: LabelledGroup[] }) {
  if (models.length === 0) return null;
  return (
    <Paper withBorder p="md" mt="md" component="section" aria-label="Latency by model">
      <Title order={2} size="h5" mb={4}>
        Latency by model
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Half, 95% and 99% of the requests took at most this long. Times are estimates, up to 19% too high.
      </Text>
      <DataTable label="Latency by model" columns={columns} rows={models} rowKey={({ key }) => key} empty={null} />
    </Paper>
  );
}

const columns: Column<LabelledGroup>[] = [
  {
    key: 'model',
    header: 'Model',
    render: ({ label }) => label,
    breaksWords: true,
    isName: true,
  },
  {
    key: 'requests',
    header: 'Requests',
    render: ({ totals }) => formatCount(totals.requests),
    align: 'right',
    visibleFrom: 'sm',
    whenHidden: ({ totals }) => pluralize(totals.requests, 'request'),
  },
  {
    key: 'median',
    header: 'Median',
    render: ({ totals }) => formatOptional(totals.medianMilliseconds, formatLatency),
    align: 'right',
    visibleFrom: 'xs',
    whenHidden: ({ totals }) => `Median ${formatOptional(totals.medianMilliseconds, formatLatency)}`,
  },
  {
    key: 'p95',
    header: '95%',
    render: ({ totals }) => formatOptional(totals.p95Milliseconds, formatLatency),
    align: 'right',
  },
  {
    key: 'p99',
    header: '99%',
    render: ({ totals }) => formatOptional(totals.p99Milliseconds, formatLatency),
    align: 'right',
    visibleFrom: 'xs',
    whenHidden: ({ totals }) => `99% ${formatOptional(totals.p99Milliseconds, formatLatency)}`,
  },
];
