import { Group, Paper, Text } from '@mantine/core';
import { IconKey, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable } from '../../components/DataTable.js';
import { EmptyState } from '../../components/EmptyState.js';
import { ErrorAlert } from '../../components/ErrorAlert.js';
import { PageHeader } from '../../components/PageHeader.js';
import { RequirePermission } from '../../components/RequirePermission.js';
import { SearchField } from '../../components/SearchField.js';
import { TablePagination } from '../../components/TablePagination.js';
import { apiKeysQuery } from './api-keys.js';
import { apiKeyColumns } from './columns.js';
import type { ApiKeysSearch } from './search.js';

const route = getRouteApi('/dashboard/keys');

/** The keys of the organization. */
export function ApiKeysPage() {
  return (
    <RequirePermission permission="get-api-keys">
      <ApiKeys />
    </RequirePermission>
  );
}

function ApiKeys() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(apiKeysQuery(search));
  const show = (change: Partial<ApiKeysSearch>, options?: { replace: boolean }) =>
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), ...options });
  return (
    <>
      <PageHeader title="API keys" description="What your services sign their requests with." />
      <Group mb="md">
        <SearchField
          label="Search by name"
          value={search.name}
          onSearch={(name) => show({ name }, { replace: true })}
        />
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <Paper withBorder p="md" opacity={isPlaceholderData ? 0.6 : 1}>
          <DataTable
            label="API keys"
            columns={apiKeyColumns}
            rows={data?.apiKeys}
            rowKey={({ id }) => id}
            sort={search}
            onSort={show}
            empty={<NoKeys name={search.name} />}
          />
          {data !== undefined && (
            <TablePagination page={search.page} perPage={search.perPage} total={data.total} onChange={show} />
          )}
        </Paper>
      )}
    </>
  );
}

function NoKeys({ name }: { name?: string }) {
  if (name !== undefined) {
    return (
      <EmptyState icon={<IconSearchOff size={28} />} title="No key has this in its name">
        You searched for <Text span>“{name}”</Text>.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<IconKey size={28} />} title="No keys yet">
      A key lets one of your services call the AI endpoints. Give each service a key of its own.
    </EmptyState>
  );
}
