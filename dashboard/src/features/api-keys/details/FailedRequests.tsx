import { Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FailedRequest } from '../../../api/schema.js';
import { useLinkedSection } from '../../../hooks/use-linked-section.js';
import { usePermission } from '../../../session/me.js';
import { type Column, DataTable, NoValue } from '../../../ui/DataTable.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { Time } from '../../../ui/Time.js';
import { FailureCause } from '../../../common/failures/FailureCause.js';
import { failedRequestsQuery, failedRequestsSection } from '../../../common/failures/failed-requests.js';
import { RequestIdSearch } from '../requests/RequestIdSearch.js';
import { RequestId } from './RequestId.js';

const firstRows = 5;

interface FailedRequestsProps {
  apiKeyId: string;
  /** The only requests to show, from the URL. */
  requestId: string | undefined;
  onSearch: (requestId: string | undefined) => void;
}

/** The latest failed and rejected requests of a key, hidden from users who lack the permission. */
export function FailedRequests(props: FailedRequestsProps) {
  return usePermission('get-usage') ? <LatestFailures {...props} /> : null;
}

function LatestFailures({ apiKeyId, requestId, onSearch }: FailedRequestsProps) {
  const { data, error, refetch } = useQuery(failedRequestsQuery(apiKeyId));
  const section = useLinkedSection(failedRequestsSection);
  return (
    <Paper withBorder p="lg" component="section" aria-label="Failed and rejected requests" {...section}>
      <Group justify="space-between" align="start" mb="sm">
        <Title order={2} size="h4">
          Failed and rejected requests
        </Title>
        {(requestId !== undefined || (data !== undefined && data.failures.length > firstRows)) && (
          <RequestIdSearch requestId={requestId} onSearch={onSearch} />
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        The latest 100 of the last 30 days. Includes requests rejected before they counted as usage, such as those with
        an unknown model or invalid JSON. Requests to unknown paths, or with a mistyped or revoked key, aren&apos;t
        recorded.
      </Text>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton h={80} />}
      {data !== undefined && (
        <FailuresTable
          // All are loaded.
          failures={data.failures.filter((failure) => requestId === undefined || failure.requestId === requestId)}
          isSearched={requestId !== undefined}
        />
      )}
    </Paper>
  );
}

function FailuresTable({ failures, isSearched }: { failures: FailedRequest[]; isSearched: boolean }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <>
      <DataTable
        label="Failed and rejected requests"
        columns={columns}
        rows={showsAll ? failures : failures.slice(0, firstRows)}
        rowKey={({ requestId, occurredAt }) => `${requestId} ${occurredAt}`}
        empty={
          <Text size="sm" c="dimmed">
            {isSearched
              ? 'No failed or rejected request with this ID is kept. It may be older, have succeeded, or have used another key.'
              : 'No failed or rejected requests in the last 30 days.'}
          </Text>
        }
      />
      {failures.length > firstRows && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${failures.length}`}
        </Button>
      )}
    </>
  );
}

/** The model. A name that the client sent is in quotes, which show spaces around it. */
function modelOf({ model, requestedModel }: FailedRequest): string | null {
  return model ?? (requestedModel === null ? null : `“${requestedModel}”`);
}

const columns: Column<FailedRequest>[] = [
  {
    key: 'occurredAt',
    header: 'Time',
    render: ({ occurredAt }) => <Time at={occurredAt} />,
    visibleFrom: 'sm',
    whenHidden: ({ occurredAt }) => <Time at={occurredAt} />,
  },
  {
    key: 'title',
    header: 'Cause',
    render: (failure) => <FailureCause {...failure} />,
    breaksWords: true,
    isName: true,
  },
  {
    key: 'route',
    header: 'Request',
    render: (failure) => (
      <>
        <Text size="sm">{failure.route}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {modelOf(failure)}
        </Text>
      </>
    ),
    visibleFrom: 'sm',
    whenHidden: (failure) => [failure.route, modelOf(failure)].filter((part) => part !== null).join(', '),
  },
  {
    key: 'address',
    header: 'IP address',
    render: ({ address }) => address ?? <NoValue>Unknown</NoValue>,
    visibleFrom: 'sm',
    whenHidden: ({ address }) => address,
  },
  {
    key: 'requestId',
    header: 'Request ID',
    render: ({ requestId }) => <RequestId id={requestId} />,
    breaksWords: true,
    visibleFrom: 'lg',
    whenHidden: ({ requestId }) => <RequestId id={requestId} hasLabel />,
  },
];
