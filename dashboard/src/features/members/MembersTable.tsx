import { Avatar, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { administratorPermissions } from '@rules/administrator-permissions.js';
import { maxEmailLength } from '@rules/email-address.js';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { useNarrowerThan } from '../../hooks/use-narrower-than.js';
import { queryClient } from '../../query-client.js';
import { useMe } from '../../session/me.js';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { SearchField } from '../../ui/SearchField.js';
import { TablePagination } from '../../ui/TablePagination.js';
import { Time } from '../../ui/Time.js';
import { AssignedRole } from '../../common/roles/assign/AssignedRole.js';
import { useIsLastAdministrator } from '../../common/organizations/last-administrator.js';
import { membersQuery } from './members.js';
import classes from './MembersTable.module.css';
import { RemoveMemberButton } from './RemoveMemberButton.js';
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
              columns={columns}
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

const columns: Column<Member>[] = [
  {
    key: 'member',
    header: 'Member',
    render: (member) => <MemberName member={member} />,
    breaksWords: true,
    isName: true,
  },
  { key: 'role', header: 'Role', render: (member) => <MemberRole member={member} /> },
  {
    key: 'joinedAt',
    header: 'Joined',
    render: ({ joinedAt }) => <Time at={joinedAt} />,
    visibleFrom: 'md',
    whenHidden: ({ joinedAt }) => (
      <>
        Joined <Time at={joinedAt} />
      </>
    ),
  },
  {
    key: 'remove',
    header: 'Actions',
    hidesHeader: true,
    render: (member) => <RemoveMemberButton member={member} />,
    align: 'right',
  },
];

/** Members as a list of cards, for small screens. */
function MemberCards({ members }: { members: Member[] }) {
  return (
    <ul aria-label="Members" className={classes.list}>
      {members.map((member) => (
        <Stack component="li" key={member.id} gap="xs" className={classes.card}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <MemberName member={member} />
            <RemoveMemberButton member={member} />
          </Group>
          <MemberRole member={member} />
          <Text size="xs" c="dimmed">
            Joined <Time at={member.joinedAt} />
          </Text>
        </Stack>
      ))}
    </ul>
  );
}

/** The name and email of a member. */
function MemberName({ member: { userId, name, email } }: { member: Member }) {
  const { user } = useMe();
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={name} color="indigo" radius="xl" size={34} aria-hidden visibleFrom="xs" />
      <div>
        <Group gap={6}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {userId === user.id && (
            <Badge size="sm" variant="light">
              You
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </div>
    </Group>
  );
}

/** The member's role, which some users can change. */
function MemberRole({ member }: { member: Member }) {
  const { id, userId, name, email, role } = member;
  const isLastAdministrator = useIsLastAdministrator(member);
  const isOwn = userId === useMe().user.id;
  const assign = async (roleId: string) => {
    await unwrap(api.PATCH('/members/{id}', { params: { path: { id } }, body: { roleId } }));
    // The user's own permissions affect every page.
    await (isOwn ? queryClient.invalidateQueries() : refresh('members', 'roles'));
  };
  const needed = isLastAdministrator ? administratorPermissions : undefined;
  return (
    <AssignedRole holder={{ id, name, identity: email, role, isOwn, permission: 'update-members', needed, assign }} />
  );
}
