import { Loader, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { currentOrganizationQuery } from '../../../common/organizations/organizations.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { notifyDone } from '../../../lib/notify.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { FormActions } from '../../../ui/FormActions.js';
import { checkExpiry, defaultLifetime, getExpiry } from '../dialogs/key-lifetime.js';
import { KeyExpiryInput } from '../dialogs/KeyExpiryInput.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { describeOutcome, updateKeys } from './bulk-request.js';

/** Replaces the expiry of keys, within the limit of the organization. */
export function BulkExpiryForm(props: BulkFormProps) {
  const { data, error, refetch } = useQuery(currentOrganizationQuery);
  if (data !== undefined) return <ExpiryForm {...props} maxDays={data.longestKeyLifetimeDays} />;
  return error === null ? <Loader size="sm" /> : <ErrorAlert error={error} onRetry={() => void refetch()} />;
}

function ExpiryForm({ keys, onSaved, maxDays }: BulkFormProps & { maxDays: number | null }) {
  const form = useForm({
    initialValues: { lifetime: defaultLifetime(maxDays), expiresAt: '' },
    validate: { expiresAt: (_time, values) => checkExpiry(values, { maxDays, now: Date.now() }) },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const expiry = getExpiry(values, { maxDays, now: Date.now() })?.toISOString() ?? null;
      return updateKeys(keys, { expiresAt: expiry });
    },
    onDone: (count) => {
      onSaved();
      notifyDone(describeOutcome(count, keys.length, 'updated'));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KeyExpiryInput
          value={form.values}
          onChange={(change) => {
            form.clearFieldError('expiresAt');
            form.setValues(change);
          }}
          error={form.errors.expiresAt}
          maxDays={maxDays}
          hasInitialFocus
        />
        <FormActions submitLabel="Change expiry" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
