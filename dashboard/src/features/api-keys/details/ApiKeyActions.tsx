import { Button } from '@mantine/core';
import { DisabledTooltip } from '../../../ui/DisabledTooltip.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import type { ListedApiKey } from '../api-keys.js';
import { type ApiKeyAction, isExpired, rotationRefusal } from '../key-actions.js';

interface ApiKeyActionsProps {
  apiKey: ListedApiKey;
  onAction: (action: ApiKeyAction) => void;
}

/** What can be done with a key, as buttons. */
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
          <RotateButton apiKey={apiKey} onAction={onAction} />
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
  const isOver = isExpired(apiKey, useNow());
  const button = (
    <Button variant="default" disabled={isOver} onClick={() => onAction({ kind: 'rotate', apiKey })}>
      Rotate
    </Button>
  );
  return isOver ? <DisabledTooltip reason={rotationRefusal}>{button}</DisabledTooltip> : button;
}
