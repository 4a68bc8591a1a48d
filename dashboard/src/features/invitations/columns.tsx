import { Badge, Text } from '@mantine/core';
import type { Invitation } from '../../api/schema.js';
import { type Column, NoValue } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { useNow } from '../../hooks/use-now.js';
import { InvitationMenu } from './InvitationMenu.js';
import type { Invitee } from './InviteModal.js';

/** Columns of the invitations table. */
export function invitationColumns(onInvite: (invitee: Invitee) => void): Column<Invitation>[] {
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
    },
    { key: 'role', header: 'Role', render: ({ role }) => role.name, breaksWords: true, visibleFrom: 'xs' },
    {
      key: 'invitedBy',
      header: 'Invited by',
      render: ({ invitedBy }) => invitedBy ?? <NoValue>Service or deleted account</NoValue>,
      breaksWords: true,
      visibleFrom: 'md',
    },
    { key: 'expiresAt', header: 'Expires', render: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
    {
      key: 'menu',
      header: 'Actions',
      hidesHeader: true,
      render: (invitation) => <InvitationMenu invitation={invitation} onInvite={onInvite} />,
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
