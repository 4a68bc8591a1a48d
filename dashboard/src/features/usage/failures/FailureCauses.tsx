import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FailureCount } from '../../../api/schema.js';
import { failedRequestsSection } from '../../../common/failures/failed-requests.js';
import { type Column, DataTable } from '../../../ui/DataTable.js';
import { usePermission } from '../../../session/me.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import type { UsageSearch } from '../search.js';
import { FailureCause } from '../../../common/failures/FailureCause.js';
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
        Includes requests rejected before they counted as usage, such as those with an expired key or an unknown model,
        which the charts leave out. Requests to unknown paths, or with an unknown, deleted or revoked key, aren&apos;t
        recorded.
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
  {
    key: 'title',
    header: 'Cause',
    render: (failure) => <FailureCause {...failure} />,
    breaksWords: true,
    isName: true,
  },
  {
    key: 'apiKeys',
    header: 'Keys',
    render: (failure) => <Keys failure={failure} />,
    breaksWords: true,
    visibleFrom: 'sm',
    whenHidden: (failure) => <Keys failure={failure} />,
  },
  { key: 'requests', header: 'Requests', render: ({ requests }) => formatCount(requests), align: 'right' },
];

/** The keys with the most of these requests. Each links to its latest failed requests. */
function Keys({ failure: { apiKeys, apiKeyCount } }: { failure: FailureCount }) {
  const mayGet = usePermission('get-api-keys');
  const others = apiKeyCount - apiKeys.length;
  return (
    <Stack gap={2}>
      {apiKeys.map(({ id, name, requests, isDeleted }) => (
        <Text key={id} size="sm">
          {mayGet && !isDeleted ? (
            <Anchor
              fz="sm"
              underline="always"
              renderRoot={(props) => (
                <Link to="/dashboard/keys/$id" params={{ id }} hash={failedRequestsSection} {...props} />
              )}
            >
              {name}
            </Anchor>
          ) : (
            name
          )}
          <Text span size="xs" c="dimmed">
            {isDeleted && ' (deleted)'} · {pluralize(requests, 'request')}
          </Text>
        </Text>
      ))}
      {others > 0 && (
        <Text size="xs" c="dimmed">
          and {pluralize(others, 'other key')}
        </Text>
      )}
    </Stack>
  );
}
