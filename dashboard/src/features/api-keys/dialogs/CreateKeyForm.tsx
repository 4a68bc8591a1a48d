import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormActions } from '../../../ui/FormActions.js';
import { NameInput } from '../../../ui/NameInput.js';
import { checkName } from '../../../lib/text-rules.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkExpiry, defaultLifetime, getExpiry } from './key-lifetime.js';
import { KeyExpiryInput } from './KeyExpiryInput.js';

interface CreateKeyFormProps {
  /** The organization's maximum key lifetime; null means no limit. */
  maxDays: number | null;
  create: (settings: { name: string; expiresAt?: string }) => Promise<void>;
  onCancel: () => void;
}

/** A form for the name and expiry of a new key. */
export function CreateKeyForm({ maxDays, create, onCancel }: CreateKeyFormProps) {
  const form = useForm({
    initialValues: { name: '', lifetime: defaultLifetime(maxDays), expiresAt: '' },
    validate: {
      name: checkName,
      expiresAt: (_time, values) => checkExpiry(values, { maxDays, now: Date.now() }),
    },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const expiry = getExpiry(values, { maxDays, now: Date.now() });
      return create({ name: values.name.trim(), expiresAt: expiry?.toISOString() });
    },
  });
  const { lifetime, expiresAt } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput
          description="Name it after the service that will use it."
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
          maxDays={maxDays}
        />
        <FormActions submitLabel="Create key" isPending={isPending} error={formError} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
