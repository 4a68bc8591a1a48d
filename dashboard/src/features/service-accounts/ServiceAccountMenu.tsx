import { Menu } from '@mantine/core';
import { IconBan, IconCursorText, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ServiceAccount } from '../../api/schema.js';
import { usePermission } from '../../session/me.js';
import { RowMenu } from '../../ui/RowMenu.js';
import type { ServiceAccountAction } from './ServiceAccountDialogs.js';

interface ServiceAccountMenuProps {
  account: ServiceAccount;
  onAction: (action: ServiceAccountAction) => void;
}

/** Actions for a service account that the user has permission for. */
export function ServiceAccountMenu({ account, onAction }: ServiceAccountMenuProps) {
  const mayUpdate = usePermission('update-service-accounts');
  const mayDelete = usePermission('delete-service-accounts');
  if (!mayUpdate && !mayDelete) return null;
  return (
    <RowMenu label={`Actions for ${account.name}`}>
      {mayUpdate && (
        <Menu.Item
          leftSection={<IconCursorText size={16} aria-hidden />}
          onClick={() => onAction({ kind: 'rename', account })}
        >
          Rename
        </Menu.Item>
      )}
      {mayUpdate && (
        <Menu.Item
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => onAction({ kind: 'rotate', account })}
        >
          Rotate client secret
        </Menu.Item>
      )}
      {mayUpdate && account.previousSecretExpiresAt !== undefined && (
        <Menu.Item
          leftSection={<IconBan size={16} aria-hidden />}
          onClick={() => onAction({ kind: 'revoke', account })}
        >
          Revoke previous client secret
        </Menu.Item>
      )}
      {mayDelete && (
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onAction({ kind: 'delete', account })}
        >
          Delete service account
        </Menu.Item>
      )}
    </RowMenu>
  );
}
