import { Group, NativeSelect, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { useLinkedSection } from '../../../hooks/use-linked-section.js';
import { usePermission } from '../../../session/me.js';
import { DataTable } from '../../../ui/DataTable.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { TablePagination } from '../../../ui/TablePagination.js';
import { latestRequestsQuery, latestRequestsSection, type RequestsFilter } from './latest-requests.js';
import { requestColumns } from './request-columns.js';
import { RequestIdSearch } from './RequestIdSearch.js';

const outcomes = [
  { value: '', label: 'All outcomes' },
  { value: 'success', label: 'Successful' },
  { value: 'failure', label: 'Failed' },
  { value: 'limited', label: 'Rejected by a limit' },
];

interface LatestRequestsProps {
  apiKeyId: string;
  /** The only requests to show, from the URL. */
  requestId: string | undefined;
  onSearch: (requestId: string | undefined) => void;
}

/** The latest requests of a key, hidden from users who lack the permission. */
export function LatestRequests(props: LatestRequestsProps) {
  return usePermission('get-usage') ? <Requests {...props} /> : null;
}

const noFilter: RequestsFilter = { outcome: undefined, requestId: undefined, page: 1, perPage: 10 };

function Requests({ apiKeyId, requestId, onSearch }: LatestRequestsProps) {
  const [latestFilter, setFilter] = useState(noFilter);
  // Another request starts on the first page.
  const filter = latestFilter.requestId === requestId ? latestFilter : { ...latestFilter, requestId, page: 1 };
  const currency = useCurrency();
  const section = useLinkedSection(latestRequestsSection);
  const { data, error, refetch, isPlaceholderData } = useQuery(latestRequestsQuery(apiKeyId, filter));
  const isUnfiltered = filter.outcome === undefined && requestId === undefined;
  return (
    <Paper withBorder p="lg" component="section" aria-label="Latest requests" {...section}>
      <Group justify="space-between" align="start" mb="sm">
        <Title order={2} size="h4">
          Latest requests
        </Title>
        {(!isUnfiltered || (data !== undefined && data.total > 0)) && (
          <Group gap="xs">
            <RequestIdSearch requestId={requestId} onSearch={onSearch} />
            <NativeSelect
              size="xs"
              aria-label="Outcome"
              value={filter.outcome ?? ''}
              data={outcomes}
              onChange={({ currentTarget: { value } }) => setFilter({ ...filter, outcome: outcomeOf(value), page: 1 })}
            />
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        The latest 700 successful and 300 other requests of the last 30 days, or a sample of them if the key is busy.
        Usage counts all, except lists of models and requests without a known model.
      </Text>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <div style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
          <DataTable
            label="Latest requests"
            columns={requestColumns(currency, data?.requests.some(({ cost }) => cost !== null) ?? false)}
            rows={data?.requests}
            rowKey={({ requestId, occurredAt }) => `${requestId} ${occurredAt}`}
            skeletonRows={3}
            empty={<NoRequests {...filter} />}
          />
        </div>
      )}
      {data !== undefined && (
        <TablePagination
          page={filter.page}
          perPage={filter.perPage}
          total={data.total}
          onChange={(page) => setFilter({ ...filter, ...page })}
        />
      )}
    </Paper>
  );
}

function NoRequests({ outcome, requestId }: RequestsFilter) {
  if (requestId === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {outcome === undefined ? 'No requests in the last 30 days.' : 'No matching requests in the last 30 days.'}
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">No request with this ID{outcome !== undefined && ' and outcome'} is kept.</Text>
      <Text size="sm" c="dimmed">
        It may be older, not part of the sample, or made with another key. The search (Ctrl + K) looks at all keys.
      </Text>
    </>
  );
}

function outcomeOf(value: string): RequestsFilter['outcome'] {
  return value === 'success' || value === 'failure' || value === 'limited' ? value : undefined;
}
