import { IconLogout2, IconUserMinus } from '@tabler/icons-react';
import type { Member } from '../../api/schema.js';
import { explainLastAdministrator } from '../../common/organizations/last-administrator.js';
import { useMe, usePermission } from '../../session/me.js';
import { DisabledTooltip } from '../../ui/DisabledTooltip.js';
import { RowButton } from '../../ui/RowButton.js';
import type { MemberActions } from './member-columns.js';

interface RemoveMemberButtonProps extends Omit<MemberActions, 'onConfirmRole'> {
  member: Member;
}

/** Removes a member, or leaves the organization if it's the user. Disabled for the last administrator. */
export function RemoveMemberButton({ member, lastAdministratorRoleId, onRemove }: RemoveMemberButtonProps) {
  const isYou = member.userId === useMe().user.id;
  const isLastAdministrator = member.role.id === lastAdministratorRoleId;
  const mayDelete = usePermission('delete-members');
  if (!isYou && !mayDelete) return null;
  const [label, Icon] = isYou ? (['Leave', IconLogout2] as const) : [`Remove ${member.name}`, IconUserMinus];
  const button = (
    <RowButton aria-label={label} title={label} disabled={isLastAdministrator} onClick={() => onRemove(member)}>
      <Icon size={18} />
    </RowButton>
  );
  return isLastAdministrator ? (
    <DisabledTooltip reason={explainLastAdministrator(isYou ? undefined : member.name)}>{button}</DisabledTooltip>
  ) : (
    button
  );
}
