import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { DisabledTooltip } from '../../../ui/DisabledTooltip.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import { notifyDone, notifyFailed } from '../../../lib/notify.js';
import { type ListedApiKey, setEnabled } from '../api-keys.js';
import { type ApiKeyAction, isExpired, rotationDisabledReason } from '../key-actions.js';

interface ApiKeyActionsProps {
  apiKey: ListedApiKey;
  onAction: (action: ApiKeyAction) => void;
}

/** Buttons for all actions for a key. */
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
          <Button variant="default" onClick={() => onAction({ kind: 'expiry', apiKey })}>
            Change expiry
          </Button>
          <RotateButton apiKey={apiKey} onAction={onAction} />
          {apiKey.enabled === false ? (
            <EnableButton apiKey={apiKey} />
          ) : (
            <Button variant="default" onClick={() => onAction({ kind: 'disable', apiKey })}>
              Disable
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

function EnableButton({ apiKey: { id, name } }: Pick<ApiKeyActionsProps, 'apiKey'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => setEnabled(id, true),
    onSuccess: () => notifyDone(`${name} enabled.`),
    onError: ({ message }) => notifyFailed(message),
  });
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      Enable
    </Button>
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
