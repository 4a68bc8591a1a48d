import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLogout2, IconUserMinus } from '@tabler/icons-react';
import type { Member } from '../../api/schema.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe, usePermission } from '../../session/me.js';
import { LeaveModal } from './LeaveModal.js';
import { RemoveMemberModal } from './RemoveMemberModal.js';

/** Removes a member, or leaves the organization if it's the user. */
export function RemoveMemberButton({ member }: { member: Member }) {
  const { user } = useMe();
  const dialog = useDialog();
  if (!usePermission('delete-members')) return null;
  const isYou = member.userId === user.id;
  const [label, Icon, Modal] = isYou
    ? (['Leave', IconLogout2, LeaveModal] as const)
    : ([`Remove ${member.name}`, IconUserMinus, RemoveMemberModal] as const);
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => dialog.open()}>
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal member={member} isOpen={dialog.isOpen} onClose={dialog.close} />
    </>
  );
}
