import { Menu } from '@mantine/core';
import { IconLink, IconMailOff } from '@tabler/icons-react';
import type { Invitation } from '../../api/schema.js';
import { useMe } from '../../session/me.js';
import { RowMenu } from '../../ui/RowMenu.js';
import type { Invitee } from './InviteModal.js';

interface InvitationMenuProps {
  invitation: Invitation;
  onInvite: (invitee: Invitee) => void;
  onWithdraw: (invitation: Invitation) => void;
}

/** Actions for an invitation that the user has permission for. */
export function InvitationMenu({ invitation, onInvite, onWithdraw }: InvitationMenuProps) {
  const { permissions } = useMe();
  const { email, role } = invitation;
  const canInvite = permissions.includes('create-members') && permissions.includes('get-roles');
  const canWithdraw = permissions.includes('delete-members');
  if (!canInvite && !canWithdraw) return null;
  return (
    <RowMenu label={`Actions for ${email}`}>
      {canInvite && (
        <Menu.Item
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={() => onInvite({ email, roleId: role.id })}
        >
          Create new link
        </Menu.Item>
      )}
      {canWithdraw && (
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconMailOff size={16} aria-hidden />}
          onClick={() => onWithdraw(invitation)}
        >
          Withdraw invitation
        </Menu.Item>
      )}
    </RowMenu>
  );
}
