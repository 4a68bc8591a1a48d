import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLogout2, IconUserMinus } from '@tabler/icons-react';
import type { Member } from '../../api/schema.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe, usePermission } from '../../session/me.js';
import { DisabledTooltip } from '../../ui/DisabledTooltip.js';
import { explainLastAdministrator, useIsLastAdministrator } from '../../common/organizations/last-administrator.js';
import { LeaveModal } from '../../common/organizations/LeaveModal.js';
import { RemoveMemberModal } from './RemoveMemberModal.js';

/** Removes a member, or leaves the organization if it's the user. Disabled for the last administrator. */
export function RemoveMemberButton({ member }: { member: Member }) {
  const isYou = member.userId === useMe().user.id;
  const dialog = useDialog();
  const isLastAdministrator = useIsLastAdministrator(member);
  const mayDelete = usePermission('delete-members');
  if (!isYou && !mayDelete) return null;
  const [label, Icon, Modal] = isYou
    ? (['Leave', IconLogout2, LeaveModal] as const)
    : ([`Remove ${member.name}`, IconUserMinus, RemoveMemberModal] as const);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={isLastAdministrator}
      onClick={() => dialog.open()}
    >
      <Icon size={18} />
    </ActionIcon>
  );
  return (
    <>
      {isLastAdministrator ? (
        <DisabledTooltip reason={explainLastAdministrator(isYou ? undefined : member.name)}>{button}</DisabledTooltip>
      ) : (
        <Tooltip label={label}>{button}</Tooltip>
      )}
      <Modal member={member} isOpen={dialog.isOpen} onClose={dialog.close} />
    </>
  );
}
