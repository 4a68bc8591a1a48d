import { Loader, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { unwrap } from '../../../api/service-error.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { useNow } from '../../../hooks/use-now.js';
import { minuteTime } from '../../../lib/format-time.js';
import { notifyDone } from '../../../lib/notify.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { FormActions } from '../../../ui/FormActions.js';
import { FormModal } from '../../../ui/FormModal.js';
import { currentOrganizationQuery } from '../../../common/organizations/organizations.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { checkExpiry, currentExpiry, getExpiry } from './key-lifetime.js';
import { KeyExpiryInput } from './KeyExpiryInput.js';

interface ChangeExpiryModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Changes when a key expires. A later expiry makes an expired key work again. */
export function ChangeExpiryModal({ isOpen, ...content }: ChangeExpiryModalProps) {
  const { data, error, refetch } = useQuery(currentOrganizationQuery);
  return (
    <FormModal isOpen={isOpen} onClose={content.onClose} title={`Change expiry of ${content.apiKey.name}`}>
      {data !== undefined && <ChangeExpiryForm {...content} maxDays={data.longestKeyLifetimeDays} />}
      {data === undefined &&
        (error === null ? <Loader size="sm" /> : <ErrorAlert error={error} onRetry={() => void refetch()} />)}
    </FormModal>
  );
}

interface ChangeExpiryFormProps extends Omit<ChangeExpiryModalProps, 'isOpen'> {
  /** The organization's maximum key lifetime; null means no limit. */
  maxDays: number | null;
}

function ChangeExpiryForm({ apiKey: { id, name, expiresAt }, maxDays, onClose }: ChangeExpiryFormProps) {
  const now = useNow();
  const form = useForm({
    initialValues: currentExpiry(expiresAt, { maxDays, now }),
    validate: { expiresAt: (_time, values) => checkExpiry(values, { maxDays, now: Date.now() }) },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async (values) => {
      const expiry = getExpiry(values, { maxDays, now: Date.now() })?.toISOString() ?? null;
      await unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { expiresAt: expiry } }));
      return expiry;
    },
    onDone: async (expiry) => {
      await refresh('api-keys');
      onClose();
      notifyDone(expiry === null ? `${name} no longer expires.` : `${name} now expires on ${minuteTime(expiry)}.`);
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
