import { Button } from '@mantine/core';
import { DisabledTooltip } from '../../../ui/DisabledTooltip.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import type { ListedApiKey } from '../api-keys.js';
import { type ApiKeyAction, isExpired, rotationDisabledReason } from '../key-actions.js';

interface ApiKeyActionsProps {
  apiKey: ListedApiKey;
  onAction: (action: ApiKeyAction) => void;
}

/** Buttons to rename, limit, restrict, rotate, disable and delete a key. */
export function ApiKeyActions({ apiKey, onAction }: ApiKeyActionsProps) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  return (
    <>
      {mayUpdate && (
        <>
          <Button variant="default" onClick={() => onAction({ kind: 'rename', apiKey })}>
            Rename
          </Button>
          <Button variant="default" onClick={() => onAction({ kind: 'restrict', apiKey })}>
            Limits and restrictions
          </Button>
          <RotateButton apiKey={apiKey} onAction={onAction} />
          <Button variant="default" onClick={() => onAction({ kind: 'disable', apiKey })}>
            {apiKey.enabled === false ? 'Enable' : 'Disable'}
          </Button>
        </>
      )}
      {mayDelete && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => onAction({ kind: 'delete', apiKey })}>
          Delete
        </Button>
      )}
    </>
  );
}

function RotateButton({ apiKey, onAction }: ApiKeyActionsProps) {
  const hasExpired = isExpired(apiKey, useNow());
  const button = (
    <Button variant="default" disabled={hasExpired} onClick={() => onAction({ kind: 'rotate', apiKey })}>
      Rotate
    </Button>
  );
  return hasExpired ? <DisabledTooltip reason={rotationDisabledReason}>{button}</DisabledTooltip> : button;
}
