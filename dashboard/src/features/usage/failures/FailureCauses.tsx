import { Code, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FailureCount } from '../../../api/schema.js';
import { type Column, DataTable } from '../../../ui/DataTable.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { formatCount } from '../../../lib/format-numbers.js';
import type { UsageSearch } from '../search.js';
import { failureCountsQuery } from './failures.js';

/** Why requests in the range failed or were rejected. Hidden if none were. */
export function FailureCauses({ search }: { search: UsageSearch }) {
  const { data, error, refetch } = useQuery(failureCountsQuery(search));
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.failures.length === 0) return null;
  return (
    <Paper withBorder p="md" mt="md" component="section" aria-label="Failed and rejected requests by cause">
      <Title order={2} size="h5" mb={4}>
        Failed and rejected requests by cause
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Rejected requests exceeded a limit, had an expired key or named an unknown model, for example. They don&apos;t
        count as usage.
      </Text>
      <DataTable
        label="Failed and rejected requests by cause"
        columns={columns}
        rows={data.failures}
        rowKey={({ status, code }) => `${status} ${code}`}
        empty={null}
      />
    </Paper>
  );
}

const columns: Column<FailureCount>[] = [
  { key: 'title', header: 'Cause', render: ({ title }) => title },
  { key: 'status', header: 'Status', render: ({ status }) => status },
  { key: 'code', header: 'Code', render: ({ code }) => <Code>{code}</Code>, visibleFrom: 'sm' },
  { key: 'requests', header: 'Requests', render: ({ requests }) => formatCount(requests), align: 'right' },
];
