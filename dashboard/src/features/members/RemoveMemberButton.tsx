import { ActionIcon } from '@mantine/core';
import { IconLogout2, IconUserMinus } from '@tabler/icons-react';
import type { Member } from '../../api/schema.js';
import { explainLastAdministrator, useIsLastAdministrator } from '../../common/organizations/last-administrator.js';
import { useMe, usePermission } from '../../session/me.js';
import { DisabledTooltip } from '../../ui/DisabledTooltip.js';

interface RemoveMemberButtonProps {
  member: Member;
  /** Asks before the member is removed, or the user leaves. */
  onRemove: (member: Member) => void;
}

/** Removes a member, or leaves the organization if it's the user. Disabled for the last administrator. */
export function RemoveMemberButton({ member, onRemove }: RemoveMemberButtonProps) {
  const isYou = member.userId === useMe().user.id;
  const isLastAdministrator = useIsLastAdministrator(member);
  const mayDelete = usePermission('delete-members');
  if (!isYou && !mayDelete) return null;
  const [label, Icon] = isYou ? (['Leave', IconLogout2] as const) : [`Remove ${member.name}`, IconUserMinus];
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      disabled={isLastAdministrator}
      onClick={() => onRemove(member)}
    >
      <Icon size={18} />
    </ActionIcon>
  );
  return isLastAdministrator ? (
    <DisabledTooltip reason={explainLastAdministrator(isYou ? undefined : member.name)}>{button}</DisabledTooltip>
  ) : (
    button
  );
}
