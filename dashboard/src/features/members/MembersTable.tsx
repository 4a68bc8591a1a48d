import { Group, Paper } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { SearchField } from '../../ui/SearchField.js';
import { TablePagination } from '../../ui/TablePagination.js';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { memberColumns } from './columns.js';
import { membersQuery } from './members.js';
import type { MembersSearch } from './search.js';

const route = getRouteApi('/dashboard/members');

/** The members of the organization, in the order of joining. */
export function MembersTable() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(membersQuery(search));
  const show = (change: Partial<MembersSearch>, options?: { replace: boolean }) =>
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), ...options });
  useLastPageRedirect({ ...search, total: isPlaceholderData ? undefined : data?.total }, (page) =>
    show({ page }, { replace: true }),
  );
  return (
    <>
      <Group mb="md">
        <SearchField
          label="Search by name or email"
          value={search.search}
          onSearch={(text) => show({ search: text }, { replace: true })}
        />
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
          <DataTable
            label="Members"
            columns={memberColumns}
            rows={data?.members}
            rowKey={({ id }) => id}
            skeletonRows={3}
            empty={<NobodyFound {...search} />}
          />
          {data !== undefined && <TablePagination {...search} total={data.total} onChange={show} />}
        </Paper>
      )}
    </>
  );
}

/** An organization always has members: none are shown only when they are searched for. */
function NobodyFound({ search = '' }: MembersSearch) {
  return (
    <EmptyState icon={<IconSearchOff size={28} />} title="No one found">
      No member’s name or email contains “{search}”.
    </EmptyState>
  );
}
