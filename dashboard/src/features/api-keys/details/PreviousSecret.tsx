import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { ignoreNotFound } from '../../../api/service-error.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { useNow } from '../../../hooks/use-now.js';
import { minuteTime } from '../../../lib/format-time.js';
import { notifyDone } from '../../../lib/notify.js';
import { usePermission } from '../../../session/me.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { Time } from '../../../ui/Time.js';
import { nameHolder } from './describe-holder.js';

interface PreviousSecretProps {
  apiKeyId: string;
  /** Null if the key was rotated before hints of previous secrets were stored. */
  hint: string | null;
  /** ISO 8601. */
  expiresAt: string;
  /** ISO 8601; null if the previous secret was never used. */
  lastUsedAt: string | null;
  isEnabled: boolean;
  /** A former member or deleted service account that knows it. */
  holder: ApiKeyDetails['knownToFormerMembers'][number] | undefined;
}

/** Shows until when the previous secret of a rotated key works and when it was last used, with a button to revoke it. */
export function PreviousSecret({ apiKeyId, hint, expiresAt, lastUsedAt, isEnabled, holder }: PreviousSecretProps) {
  const mayUpdate = usePermission('update-api-keys');
  const confirmation = useDialog();
  if (Date.parse(expiresAt) <= useNow()) return null;
  const revoke = async () => {
    await ignoreNotFound(api.DELETE('/api-keys/{id}/previous-secret', { params: { path: { id: apiKeyId } } }));
    await refresh('api-keys');
  };
  return (
    <Alert variant="light" color="gray" icon={<IconRefresh />} role="status">
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm">
            Previous secret {hint && <Code>{hint}…</Code>} works until {minuteTime(expiresAt)}
            {isEnabled ? '.' : ', but not while the key is disabled.'}
          </Text>
          {holder !== undefined && (
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {nameHolder(holder)} knows it.
            </Text>
          )}
          {/* Not announced each time the relative time changes. */}
          <Text size="sm" c="dimmed" aria-live="off">
            <LastUse at={lastUsedAt} /> Usage and “Last used” include both secrets.
          </Text>
        </div>
        {mayUpdate && (
          <Button size="xs" variant="default" onClick={() => confirmation.open()}>
            Revoke now
          </Button>
        )}
      </Group>
      <ConfirmModal
        isOpen={confirmation.isOpen}
        onClose={confirmation.close}
        title="Revoke the previous secret?"
        actionLabel="Revoke now"
        action={revoke}
        onDone={() => {
          confirmation.close();
          notifyDone('Previous secret revoked. Requests using it are now rejected.');
        }}
      >
        <Text size="sm">
          {lastUsedAt !== null && <LastUse at={lastUsedAt} />} Anything that still uses it will stop working
          immediately. The current secret keeps working.
        </Text>
      </ConfirmModal>
    </Alert>
  );
}

function LastUse({ at }: { at: string | null }) {
  if (at === null) return 'It was never used.';
  return (
    <>
      It was last used <Time at={at} />.
    </>
  );
}
