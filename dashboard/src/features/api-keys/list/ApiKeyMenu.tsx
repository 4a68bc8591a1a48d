import { Menu } from '@mantine/core';
import {
  IconAlertTriangle,
  IconClock,
  IconCursorText,
  IconListDetails,
  IconPower,
  IconRefresh,
  IconShieldLock,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import { RowMenu } from '../../../ui/RowMenu.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';
import { type ApiKeyAction, isLeakHandled, rotationDisabledReason } from '../key-actions.js';
import { useEnableKey } from '../use-enable-key.js';

interface ApiKeyMenuProps {
  apiKey: ListedApiKey;
  onAction: (action: ApiKeyAction) => void;
}

/** A menu of all actions for a key. */
export function ApiKeyMenu({ apiKey, onAction }: ApiKeyMenuProps) {
  const { id, name } = apiKey;
  return (
    <RowMenu label={`Actions for ${name}`} width={230}>
      <Menu.Item
        leftSection={<IconListDetails size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/dashboard/keys/$id" params={{ id }} {...props} />}
      >
        Details
      </Menu.Item>
      <ActionItems apiKey={apiKey} onAction={onAction} />
    </RowMenu>
  );
}

function ActionItems({ apiKey, onAction }: ApiKeyMenuProps) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const hasExpired = isExpired(apiKey, useNow());
  const isDisabled = apiKey.enabled === false;
  const { enable } = useEnableKey(apiKey, onAction);
  return (
    <>
      {mayUpdate && (
        <>
          <Menu.Item
            leftSection={<IconCursorText size={16} aria-hidden />}
            onClick={() => onAction({ kind: 'rename', apiKey })}
          >
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<IconShieldLock size={16} aria-hidden />}
            onClick={() => onAction({ kind: 'restrict', apiKey })}
          >
            Limits and restrictions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconClock size={16} aria-hidden />}
            onClick={() => onAction({ kind: 'expiry', apiKey })}
          >
            Change expiry
          </Menu.Item>
          <Menu.Item
            leftSection={<IconRefresh size={16} aria-hidden />}
            disabled={hasExpired}
            onClick={() => onAction({ kind: 'rotate', apiKey })}
          >
            Rotate
          </Menu.Item>
          {hasExpired && <Menu.Label>{rotationDisabledReason}</Menu.Label>}
          {!hasExpired && (
            <Menu.Item
              leftSection={<IconPower size={16} aria-hidden />}
              onClick={() => (isDisabled ? enable() : onAction({ kind: 'disable', apiKey }))}
            >
              {isDisabled ? 'Enable' : 'Disable'}
            </Menu.Item>
          )}
          {!isLeakHandled(apiKey) && (
            <Menu.Item
              leftSection={<IconAlertTriangle size={16} aria-hidden />}
              onClick={() => onAction({ kind: 'leak', apiKey })}
            >
              Report leak
            </Menu.Item>
          )}
        </>
      )}
      {mayDelete && (
        <>
          <Menu.Divider />
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onAction({ kind: 'delete', apiKey })}
          >
            Delete
          </Menu.Item>
        </>
      )}
    </>
  );
}
