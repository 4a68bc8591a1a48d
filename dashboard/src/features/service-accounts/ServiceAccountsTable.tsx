import { Paper } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { DataTable } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { TablePagination } from '../../ui/TablePagination.js';
import { serviceAccountColumns } from './columns.js';
import { CreateServiceAccountButton } from './CreateServiceAccountButton.js';
import { serviceAccountsQuery } from './service-accounts.js';

const route = getRouteApi('/dashboard/members');

/** Service accounts, newest first. */
export function ServiceAccountsTable({ onCreate }: { onCreate: () => void }) {
  const { page, perPage } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(serviceAccountsQuery({ page, perPage }));
  const updateSearch = (change: { page: number }, options?: { replace: boolean }) =>
    void navigate({ search: (current) => ({ ...current, ...change }), ...options });
  useLastPageRedirect({ page, perPage, total: isPlaceholderData ? undefined : data?.total }, (last) =>
    updateSearch({ page: last }, { replace: true }),
  );
  if (data === undefined && error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
      <DataTable
        label="Service accounts"
        columns={serviceAccountColumns}
        rows={data?.serviceAccounts}
        rowKey={({ id }) => id}
        skeletonRows={3}
        empty={
          <EmptyState
            icon={<IconRobot size={28} />}
            title="No service accounts"
            action={<CreateServiceAccountButton onClick={onCreate} />}
          >
            Service accounts let scripts and pipelines manage keys without a person&apos;s password.
          </EmptyState>
        }
      />
      {data !== undefined && (
        <TablePagination page={page} perPage={perPage} total={data.total} onChange={updateSearch} />
      )}
    </Paper>
  );
}
