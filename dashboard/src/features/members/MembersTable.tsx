import { Group, Paper, Stack, Text } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { maxEmailLength } from '@rules/email-address.js';
import type { Member } from '../../api/schema.js';
import { useLastAdministratorRoleId } from '../../common/organizations/last-administrator.js';
import { LeaveModal } from '../../common/organizations/LeaveModal.js';
import type { RoleAssignment } from '../../common/roles/assign/assign-role.js';
import { ConfirmRoleModal } from '../../common/roles/assign/ConfirmRoleModal.js';
import { type Dialog, useDialog } from '../../hooks/use-dialog.js';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { useNarrowerThan } from '../../hooks/use-narrower-than.js';
import { queryClient } from '../../query-client.js';
import { useMe } from '../../session/me.js';
import { DataTable } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { SearchField } from '../../ui/SearchField.js';
import { TablePagination } from '../../ui/TablePagination.js';
import { Time } from '../../ui/Time.js';
import { type MemberActions, memberColumns, MemberName, MemberRole } from './member-columns.js';
import { membersQuery } from './members.js';
import { MemberStatusSelect } from './MemberStatusSelect.js';
import classes from './MembersTable.module.css';
import { RemoveMemberButton } from './RemoveMemberButton.js';
import { RemoveMemberModal } from './RemoveMemberModal.js';
import type { MembersSearch } from './search.js';

const route = getRouteApi('/dashboard/members');

/** Members, in the order they joined: a table, or cards on small screens. */
export function MembersTable() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isSmall = useNarrowerThan('xs');
  const { data, error, refetch, isPlaceholderData } = useQuery(membersQuery(search));
  const updateSearch = (change: Partial<MembersSearch>, options?: { replace: boolean }) => {
    // Before the page renders, which takes a slow phone a while.
    void queryClient.prefetchQuery(membersQuery({ ...search, page: 1, ...change }));
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), ...options });
  };
  useLastPageRedirect({ ...search, total: isPlaceholderData ? undefined : data?.total }, (page) =>
    updateSearch({ page }, { replace: true }),
  );
  const removal = useDialog<Member>();
  const confirmation = useDialog<RoleAssignment>();
  const lastAdministratorRoleId = useLastAdministratorRoleId();
  const actions = { lastAdministratorRoleId, onRemove: removal.open, onConfirmRole: confirmation.open };
  return (
    <>
      <Group mb="md" gap="sm">
        <SearchField
          label="Search by name or email"
          maxLength={maxEmailLength}
          value={search.search}
          onSearch={(text) => updateSearch({ search: text }, { replace: true })}
        />
        <MemberStatusSelect />
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
          {isSmall && data !== undefined && data.members.length > 0 ? (
            <MemberCards members={data.members} {...actions} />
          ) : (
            <DataTable
              label="Members"
              columns={memberColumns(actions)}
              rows={data?.members}
              rowKey={({ id }) => id}
              skeletonRows={3}
              empty={<NoMatches {...search} />}
            />
          )}
          {data !== undefined && <TablePagination {...search} total={data.total} onChange={updateSearch} />}
        </Paper>
      )}
      {removal.subject && <RemovalModal key={removal.subject.id} member={removal.subject} dialog={removal} />}
      <ConfirmRoleModal dialog={confirmation} />
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

/** Members as a list of cards, for small screens. */
function MemberCards({ members, ...actions }: MemberActions & { members: Member[] }) {
  return (
    <ul aria-label="Members" className={classes.list}>
      {members.map((member) => (
        <Stack component="li" key={member.id} gap="xs" className={classes.card}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <MemberName member={member} />
            <RemoveMemberButton member={member} {...actions} />
          </Group>
          <MemberRole member={member} {...actions} />
          <Text size="xs" c="dimmed">
            Joined <Time at={member.joinedAt} />
          </Text>
        </Stack>
      ))}
    </ul>
  );
}

/** Removes a member, or leaves the organization if it's the user. */
function RemovalModal({ member, dialog: { isOpen, close } }: { member: Member; dialog: Dialog<Member> }) {
  const isYou = member.userId === useMe().user.id;
  return isYou ? (
    <LeaveModal isOpen={isOpen} onClose={close} />
  ) : (
    <RemoveMemberModal member={member} isOpen={isOpen} onClose={close} />
  );
}
