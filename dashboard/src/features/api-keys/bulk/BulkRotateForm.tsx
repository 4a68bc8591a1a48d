import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { BulkRotatedApiKeys } from '../../../api/schema.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { checkGracePeriod, type GracePeriod, immediately, toSeconds } from '../../../common/secrets/grace-period.js';
import { GracePeriodInput } from '../../../common/secrets/GracePeriodInput.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { FormActions } from '../../../ui/FormActions.js';
import type { Issue } from '../../../ui/NewSecretModal.js';
import { rotateKeys } from './bulk-request.js';
import { KeyNames } from './KeyNames.js';

interface BulkRotateFormProps {
  keys: ListedApiKey[];
  issue: Issue<BulkRotatedApiKeys>;
}

/** A form for the grace period of the current secrets. */
export function BulkRotateForm({ keys, issue }: BulkRotateFormProps) {
  const form = useForm<GracePeriod>({
    initialValues: { choice: '86400', amount: '', unit: 'hours' },
    validate: { amount: (_amount, values) => checkGracePeriod(values) },
  });
  const isImmediate = form.values.choice === immediately;
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => issue(() => rotateKeys(keys, toSeconds(values))),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KeyNames keys={keys} />
        <Text size="sm">
          This creates a new secret for each key.{' '}
          {isImmediate
            ? 'Anything using the current secrets will stop working immediately.'
            : "The current secrets keep working until they're revoked, so you can replace them without downtime."}{' '}
          Secrets from before an earlier rotation are revoked immediately.
        </Text>
        <GracePeriodInput
          label="Revoke the current secrets"
          value={form.values}
          onChange={(change) => {
            form.clearFieldError('amount');
            form.setValues(change);
          }}
          error={form.errors.amount}
        />
        <FormActions submitLabel="Rotate keys" isDestructive={isImmediate} isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
