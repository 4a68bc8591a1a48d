import { Text } from '@mantine/core';
import type { BulkRotatedApiKeys } from '../../../api/schema.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { GracePeriodForm } from '../../../common/secrets/GracePeriodForm.js';
import type { Issue } from '../../../ui/NewSecretModal.js';
import { leakedSecretOf } from '../leaked-secret.js';
import { rotateKeys } from './bulk-request.js';
import { describeRotation } from './describe-rotation.js';
import { KeyNames } from './KeyNames.js';
import { KnownSecretsWarning } from './KnownSecretsWarning.js';

interface BulkRotateFormProps {
  keys: ListedApiKey[];
  issue: Issue<BulkRotatedApiKeys>;
}

/** A form for the grace period of the current secrets that didn't leak. */
export function BulkRotateForm({ keys, issue }: BulkRotateFormProps) {
  const leakedCount = keys.filter((key) => leakedSecretOf(key) === 'rejected').length;
  return (
    <GracePeriodForm
      revoked={leakedCount === 0 ? 'current secrets' : 'other secrets'}
      hasGracePeriod={leakedCount < keys.length}
      submitLabel="Rotate keys"
      rotate={(gracePeriodSeconds) => issue(() => rotateKeys(keys, gracePeriodSeconds))}
    >
      {(isImmediate) => (
        <>
          <KeyNames keys={keys} />
          <Text size="sm">
            This creates a new secret for each key. {describeRotation({ count: keys.length, leakedCount, isImmediate })}{' '}
            Secrets from before an earlier rotation are revoked immediately.
          </Text>
          <KnownSecretsWarning keys={keys} />
        </>
      )}
    </GracePeriodForm>
  );
}
