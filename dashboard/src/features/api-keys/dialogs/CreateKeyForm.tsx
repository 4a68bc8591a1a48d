import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormActions } from '../../../ui/FormActions.js';
import { NameInput } from '../../../ui/NameInput.js';
import { checkName } from '../../../lib/text-rules.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkExpiry, defaultLifetime, expiryOf } from './key-lifetime.js';
import { KeyExpiryInput } from './KeyExpiryInput.js';

interface CreateKeyFormProps {
  /** How long keys of the organization may live; null for no limit. */
  longestDays: number | null;
  create: (choice: { name: string; expiresAt?: string }) => Promise<void>;
  onCancel: () => void;
}

/** Asks what a new key is for, and until when. */
export function CreateKeyForm({ longestDays, create, onCancel }: CreateKeyFormProps) {
  const form = useForm({
    initialValues: { name: '', lifetime: defaultLifetime(longestDays), expiresAt: '' },
    validate: {
      name: checkName,
      expiresAt: (_time, values) => checkExpiry(values, { longestDays, now: Date.now() }),
    },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const expiry = expiryOf(values, { longestDays, now: Date.now() });
      return create({ name: values.name.trim(), expiresAt: expiry?.toISOString() });
    },
  });
  const { lifetime, expiresAt } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput
          description="What will use it, so that you know it again."
          placeholder="Search indexer"
          {...form.getInputProps('name')}
        />
        <KeyExpiryInput
          value={{ lifetime, expiresAt }}
          onChange={(change) => {
            form.clearFieldError('expiresAt');
            form.setValues(change);
          }}
          error={form.errors.expiresAt}
          longestDays={longestDays}
        />
        <FormActions submitLabel="Create key" isPending={isPending} error={formError} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
