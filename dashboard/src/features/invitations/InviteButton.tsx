import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { PermissionTooltip } from '../../ui/PermissionTooltip.js';
import { usePermission } from '../../session/me.js';

/** Hidden from users who can't invite. Disabled without `get-roles`, because an invitation needs a role. */
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
