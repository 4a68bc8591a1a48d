import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { PermissionTooltip } from '../../ui/PermissionTooltip.js';
import { usePermission } from '../../session/me.js';

/** Begins an invitation, for those who may invite; to choose a role, they have to see the roles. */
export function InviteButton({ onClick }: { onClick: () => void }) {
  if (!usePermission('create-members')) return null;
  return (
    <PermissionTooltip permission="get-roles">
      {(isDisabled) => (
        <Button leftSection={<IconUserPlus size={18} aria-hidden />} disabled={isDisabled} onClick={onClick}>
          Invite member
        </Button>
      )}
    </PermissionTooltip>
  );
}
