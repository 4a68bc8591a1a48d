import { Button } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { usePermission } from '../../session/me.js';
import { PermissionTooltip } from '../../ui/PermissionTooltip.js';

/** Hidden from users who can't create service accounts. Disabled without `get-roles`, because an account needs a role. */
export function CreateServiceAccountButton({ onClick }: { onClick: () => void }) {
  if (!usePermission('create-service-accounts')) return null;
  return (
    <PermissionTooltip permission="get-roles">
      {(isDisabled) => (
        <Button leftSection={<IconRobot size={18} aria-hidden />} disabled={isDisabled} onClick={onClick}>
          Create service account
        </Button>
      )}
    </PermissionTooltip>
  );
}
