import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconLink, IconMailOff } from '@tabler/icons-react';
import type { Invitation } from '../../api/schema.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe } from '../../session/me.js';
import type { Invitee } from './InviteModal.js';
import { WithdrawInvitationModal } from './WithdrawInvitationModal.js';

interface InvitationMenuProps {
  invitation: Invitation;
  onInvite: (invitee: Invitee) => void;
}

/** What can be done with an invitation, as far as the user may. */
export function InvitationMenu({ invitation, onInvite }: InvitationMenuProps) {
  const { permissions } = useMe();
  const withdrawal = useDialog();
  const { email, role } = invitation;
  const mayInvite = permissions.includes('create-members') && permissions.includes('get-roles');
  const mayWithdraw = permissions.includes('delete-members');
  if (!mayInvite && !mayWithdraw) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${email}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayInvite && (
            <Menu.Item
              leftSection={<IconLink size={16} aria-hidden />}
              onClick={() => onInvite({ email, roleId: role.id })}
            >
              New link
            </Menu.Item>
          )}
          {mayWithdraw && (
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconMailOff size={16} aria-hidden />}
              onClick={() => withdrawal.open()}
            >
              Withdraw
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <WithdrawInvitationModal invitation={invitation} isOpen={withdrawal.isOpen} onClose={withdrawal.close} />
    </>
  );
}
