import { Button, Switch } from '@mantine/core';
import { DisabledTooltip } from '../../../ui/DisabledTooltip.js';
import { useNow } from '../../../hooks/use-now.js';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { usePermission } from '../../../session/me.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';
import { type ApiKeyAction, isLeakHandled, rotationDisabledReason } from '../key-actions.js';
import { useEnableKey } from '../use-enable-key.js';

interface ApiKeyActionsProps {
  apiKey: ApiKeyDetails;
  onAction: (action: ApiKeyAction) => void;
}

/** A switch to enable and disable a key, and buttons for the other actions. */
export function ApiKeyActions({ apiKey, onAction }: ApiKeyActionsProps) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  return (
    <>
      {mayUpdate && (
        <>
          <EnabledSwitch apiKey={apiKey} onAction={onAction} />
          <Button variant="default" onClick={() => onAction({ kind: 'rename', apiKey })}>
            Rename
          </Button>
          <Button variant="default" onClick={() => onAction({ kind: 'restrict', apiKey })}>
            Limits and restrictions
          </Button>
          <Button variant="default" onClick={() => onAction({ kind: 'expiry', apiKey })}>
            Change expiry
          </Button>
          <RotateButton apiKey={apiKey} onAction={onAction} />
          {!isLeakHandled(apiKey) && (
            <Button variant="default" onClick={() => onAction({ kind: 'leak', apiKey })}>
              Report leak
            </Button>
          )}
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

/** Enables a key immediately, and asks before disabling it or enabling a leaked one. */
function EnabledSwitch({ apiKey, onAction }: ApiKeyActionsProps) {
  const hasExpired = isExpired(apiKey, useNow());
  const { enable, isPending } = useEnableKey(apiKey, onAction);
  // An expired key accepts none either way.
  if (hasExpired) return null;
  return (
    <Switch
      label="Accept requests"
      checked={isPending || apiKey.enabled !== false}
      // Not disabled while pending, or it would lose the focus.
      onChange={({ currentTarget }) => {
        if (isPending) return;
        if (currentTarget.checked) enable();
        else onAction({ kind: 'disable', apiKey });
      }}
    />
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
