import { Text } from '@mantine/core';
import type { BulkRotatedApiKeys } from '../../../api/schema.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { GracePeriodForm } from '../../../common/secrets/GracePeriodForm.js';
import type { Issue } from '../../../ui/NewSecretModal.js';
import { rotateKeys } from './bulk-request.js';
import { KeyNames } from './KeyNames.js';

interface BulkRotateFormProps {
  keys: ListedApiKey[];
  issue: Issue<BulkRotatedApiKeys>;
}

/** A form for the grace period of the current secrets. */
export function BulkRotateForm({ keys, issue }: BulkRotateFormProps) {
  return (
    <GracePeriodForm
      revoked="current secrets"
      submitLabel="Rotate keys"
      rotate={(gracePeriodSeconds) => issue(() => rotateKeys(keys, gracePeriodSeconds))}
    >
      {(isImmediate) => (
        <>
          <KeyNames keys={keys} />
          <Text size="sm">
            This creates a new secret for each key.{' '}
            {isImmediate
              ? 'Anything using the current secrets will stop working immediately.'
              : "The current secrets keep working until they're revoked, so you can replace them without downtime."}{' '}
            Secrets from before an earlier rotation are revoked immediately.
          </Text>
        </>
      )}
    </GracePeriodForm>
  );
}
