import { Button, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { DisabledTooltip } from '../../../ui/DisabledTooltip.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import { notifyDone, notifyFailed } from '../../../lib/notify.js';
import { enabledSubject, type ListedApiKey, setEnabled } from '../api-keys.js';
import { type ApiKeyAction, isExpired, rotationDisabledReason } from '../key-actions.js';

interface ApiKeyActionsProps {
  apiKey: ListedApiKey;
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
          <EnabledSwitch apiKey={apiKey} onDisable={() => onAction({ kind: 'disable', apiKey })} />
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

interface EnabledSwitchProps {
  apiKey: ListedApiKey;
  onDisable: () => void;
}

/** Enables a key immediately, and asks before disabling it. */
function EnabledSwitch({ apiKey, onDisable }: EnabledSwitchProps) {
  const { id, name, enabled } = apiKey;
  const hasExpired = isExpired(apiKey, useNow());
  const { mutate, isPending } = useMutation({
    mutationFn: () => setEnabled(id, true),
    onSuccess: () => notifyDone(`${name} enabled.`, enabledSubject(id)),
    onError: ({ message }) => notifyFailed(message),
  });
  // An expired key accepts none either way.
  if (hasExpired) return null;
  return (
    <Switch
      label="Accept requests"
      checked={isPending || enabled !== false}
      // Not disabled while pending, or it would lose the focus.
      onChange={({ currentTarget }) => {
        if (isPending) return;
        if (currentTarget.checked) mutate();
        else onDisable();
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
