import { Badge, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Invitation } from '../../api/schema.js';
import { PersonLink } from '../../common/people/PersonLink.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useNow } from '../../hooks/use-now.js';
import { type Column, NoValue } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Time } from '../../ui/Time.js';
import { PagedTable } from '../../ui/PagedTable.js';
import { InvitationMenu } from './InvitationMenu.js';
import { invitationsQuery } from './invitations.js';
import type { Invitee } from './InviteModal.js';
import { WithdrawInvitationModal } from './WithdrawInvitationModal.js';

const route = getRouteApi('/dashboard/members');

interface InvitationsTableProps {
  onInvite: (invitee?: Invitee) => void;
}

/** Pending invitations, newest first. */
export function InvitationsTable({ onInvite }: InvitationsTableProps) {
  const { page, perPage } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(invitationsQuery({ page, perPage }));
  const withdrawal = useDialog<Invitation>();
  return (
    <>
      <PagedTable
        label="Invitations"
        columns={invitationColumns(onInvite, withdrawal.open)}
        page={{ page, perPage }}
        onPage={(change, options) => void navigate({ search: (current) => ({ ...current, ...change }), ...options })}
        query={query}
        rows={query.data?.invitations}
        empty={
          <EmptyState icon={<IconMail size={28} />} title="No pending invitations">
            Invitations appear here until accepted or withdrawn.
          </EmptyState>
        }
      />
      {withdrawal.subject && (
        <WithdrawInvitationModal
          key={withdrawal.subject.id}
          invitation={withdrawal.subject}
          isOpen={withdrawal.isOpen}
          onClose={withdrawal.close}
        />
      )}
    </>
  );
}

function invitationColumns(
  onInvite: (invitee: Invitee) => void,
  onWithdraw: (invitation: Invitation) => void,
): Column<Invitation>[] {
  return [
    {
      key: 'email',
      header: 'Email',
      render: ({ email }) => (
        <Text size="sm" fw={500}>
          {email}
        </Text>
      ),
      breaksWords: true,
      isName: true,
    },
    {
      key: 'role',
      header: 'Role',
      render: ({ role }) => role.name,
      breaksWords: true,
      visibleFrom: 'xs',
      whenHidden: ({ role }) => role.name,
    },
    {
      key: 'invitedBy',
      header: 'Invited by',
      render: ({ invitedBy }) =>
        invitedBy === null ? <NoValue>Service or deleted account</NoValue> : <PersonLink person={invitedBy} />,
      breaksWords: true,
      visibleFrom: 'md',
      whenHidden: ({ invitedBy }) => (invitedBy === null ? null : `Invited by ${invitedBy.name}`),
    },
    { key: 'expiresAt', header: 'Expires', render: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
    {
      key: 'menu',
      header: 'Actions',
      hidesHeader: true,
      render: (invitation) => <InvitationMenu {...{ invitation, onInvite, onWithdraw }} />,
      align: 'right',
    },
  ];
}

function Expiry({ expiresAt }: { expiresAt: string }) {
  if (Date.parse(expiresAt) > useNow()) return <Time at={expiresAt} />;
  return (
    <Badge color="red" variant="light">
      Expired
    </Badge>
  );
}
