import { Group, Text } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { maxEmailLength } from '@rules/email-address.js';
import type { FormerMember } from '../../api/schema.js';
import { formerMembersQuery } from '../../common/people/people.js';
import { PersonNameLink } from '../../common/people/PersonLink.js';
import { type Column, NoValue } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { PagedTable } from '../../ui/PagedTable.js';
import { PersonAvatar } from '../../ui/PersonAvatar.js';
import { SearchField } from '../../ui/SearchField.js';
import { Time } from '../../ui/Time.js';
import { nameDeparture } from './departure.js';
import { MemberStatusSelect } from './MemberStatusSelect.js';
import { RemovedBy } from './RemovedBy.js';

const route = getRouteApi('/dashboard/members');

/** People who left the organization or were removed, the last first. */
export function FormerMembersTable() {
  const { page, perPage, search } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(formerMembersQuery({ page, perPage, search }));
  return (
    <>
      <Group mb="md" gap="sm">
        <SearchField
          label="Search by name or email"
          maxLength={maxEmailLength}
          value={search}
          onSearch={(text) =>
            void navigate({ search: (current) => ({ ...current, page: 1, search: text }), replace: true })
          }
        />
        <MemberStatusSelect />
      </Group>
      <PagedTable
        label="Removed members"
        columns={columns}
        page={{ page, perPage }}
        onPage={(change, options) => void navigate({ search: (current) => ({ ...current, ...change }), ...options })}
        query={query}
        rows={query.data?.formerMembers.map((former) => ({ id: former.userId, ...former }))}
        empty={
          <EmptyState icon={<IconUserOff size={28} />} title="No removed members">
            {search === undefined
              ? 'People who leave or are removed appear here, with the keys they created.'
              : `No removed member's name or email contains “${search}”.`}
          </EmptyState>
        }
      />
    </>
  );
}

/** Such as "Left 2 days ago" or "Removed 2 days ago by Grace Hopper". */
function Departure({ former: { departure, removedAt, removedBy } }: { former: FormerMember }) {
  return (
    <>
      {nameDeparture(departure)} <Time at={removedAt} />
      <RemovedBy remover={removedBy} />
    </>
  );
}

const columns: Column<FormerMember & { id: string }>[] = [
  {
    key: 'member',
    header: 'Member',
    render: ({ id, name, email }) => (
      <Group gap="sm" wrap="nowrap">
        <PersonAvatar id={id} name={name} size="md" />
        <div>
          <Text size="sm" fw={500} component="span">
            <PersonNameLink person={{ id, name }} />
          </Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </div>
      </Group>
    ),
    breaksWords: true,
    isName: true,
  },
  {
    key: 'role',
    header: 'Last role',
    render: ({ role }) => role ?? <NoValue>Unknown</NoValue>,
    visibleFrom: 'sm',
    whenHidden: ({ role }) => role,
    breaksWords: true,
  },
  {
    key: 'removedAt',
    header: 'Membership ended',
    render: (former) => <Departure former={former} />,
    visibleFrom: 'xs',
    whenHidden: (former) => <Departure former={former} />,
  },
];
