import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { BulkRotatedApiKeys } from '../../../api/schema.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { GracePeriodForm } from '../../../common/secrets/GracePeriodForm.js';
import type { Issue } from '../../../ui/NewSecretModal.js';
import { describePreviousSecret } from '../known-secrets.js';
import { leakedSecretOf } from '../leaked-secret.js';
import { keySecretsQuery, rotateKeys } from './bulk-request.js';
import { describePreviousSecrets, describeRotation } from './describe-rotation.js';
import { KeyNames } from './KeyNames.js';
import { KnownSecretsWarning } from './KnownSecretsWarning.js';

interface BulkRotateFormProps {
  keys: ListedApiKey[];
  /** Called with keys that aren't rotated after all. */
  onLeaveOut: (keys: readonly ListedApiKey[]) => void;
  issue: Issue<BulkRotatedApiKeys>;
}

/** A form for the grace period of the current secrets that didn't leak. */
export function BulkRotateForm({ keys, onLeaveOut, issue }: BulkRotateFormProps) {
  const { data: read } = useQuery(keySecretsQuery(keys));
  const current = keys.map((key) => read?.get(key.id) ?? key);
  const leakedCount = keys.filter((key) => leakedSecretOf(key) === 'rejected').length;
  const rotatedBefore = current.filter(({ previousSecretExpiresAt }) => previousSecretExpiresAt !== undefined);
  return (
    <GracePeriodForm
      revoked={leakedCount === 0 ? 'current secrets' : 'other secrets'}
      hasGracePeriod={leakedCount < keys.length}
      submitLabel="Rotate keys"
      rotate={(gracePeriodSeconds) => issue(() => rotateKeys(keys, gracePeriodSeconds))}
    >
      {(isImmediate) => (
        <>
          <KeyNames keys={current} describe={describePreviousSecret} />
          <Text size="sm">
            This creates a new secret for each key. {describeRotation({ count: keys.length, leakedCount, isImmediate })}{' '}
            {describePreviousSecrets(rotatedBefore.map(({ name }) => name))}
          </Text>
          <KnownSecretsWarning keys={current} onLeaveOut={onLeaveOut} />
        </>
      )}
    </GracePeriodForm>
  );
}
