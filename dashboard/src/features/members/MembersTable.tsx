import { Group, Paper } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { maxEmailLength } from '@rules/email-address.js';
import { DataTable } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { SearchField } from '../../ui/SearchField.js';
import { TablePagination } from '../../ui/TablePagination.js';
import { useNarrowerThan } from '../../hooks/use-narrower-than.js';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { MemberCards } from './MemberCards.js';
import { memberColumns } from './columns.js';
import { membersQuery } from './members.js';
import type { MembersSearch } from './search.js';

const route = getRouteApi('/dashboard/members');

/** Members, in the order they joined: a table, or cards on small screens. */
export function MembersTable() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isSmall = useNarrowerThan('xs');
  const { data, error, refetch, isPlaceholderData } = useQuery(membersQuery(search));
  const updateSearch = (change: Partial<MembersSearch>, options?: { replace: boolean }) =>
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), ...options });
  useLastPageRedirect({ ...search, total: isPlaceholderData ? undefined : data?.total }, (page) =>
    updateSearch({ page }, { replace: true }),
  );
  return (
    <>
      <Group mb="md">
        <SearchField
          label="Search by name or email"
          maxLength={maxEmailLength}
          value={search.search}
          onSearch={(text) => updateSearch({ search: text }, { replace: true })}
        />
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
          {isSmall && data !== undefined && data.members.length > 0 ? (
            <MemberCards members={data.members} />
          ) : (
            <DataTable
              label="Members"
              columns={memberColumns}
              rows={data?.members}
              rowKey={({ id }) => id}
              skeletonRows={3}
              empty={<NoMatches {...search} />}
            />
          )}
          {data !== undefined && <TablePagination {...search} total={data.total} onChange={updateSearch} />}
        </Paper>
      )}
    </>
  );
}

/** An organization always has members, so the table is empty only after a search. */
function NoMatches({ search = '' }: MembersSearch) {
  return (
    <EmptyState icon={<IconSearchOff size={28} />} title="No members found">
      No member's name or email contains “{search}”.
    </EmptyState>
  );
}
