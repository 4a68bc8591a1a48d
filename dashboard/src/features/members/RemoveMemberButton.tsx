import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout2, IconUserMinus } from '@tabler/icons-react';
import type { Member } from '../../api/schema.js';
import { useMe, usePermission } from '../../session/me.js';
import { LeaveModal } from './LeaveModal.js';
import { RemoveMemberModal } from './RemoveMemberModal.js';

/** Removes a member, or lets people leave, for those who may. */
export function RemoveMemberButton({ member }: { member: Member }) {
  const { user } = useMe();
  const [isOpen, modal] = useDisclosure(false);
  if (!usePermission('delete-members')) return null;
  const isYou = member.userId === user.id;
  const [label, Icon, Modal] = isYou
    ? (['Leave', IconLogout2, LeaveModal] as const)
    : ([`Remove ${member.name}`, IconUserMinus, RemoveMemberModal] as const);
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={modal.open}>
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal member={member} isOpen={isOpen} onClose={modal.close} />
    </>
  );
}
