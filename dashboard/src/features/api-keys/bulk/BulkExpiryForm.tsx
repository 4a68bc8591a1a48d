import { Loader, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { currentOrganizationQuery } from '../../../common/organizations/organizations.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { useNow } from '../../../hooks/use-now.js';
import { formatCount } from '../../../lib/format-numbers.js';
import { minuteTime } from '../../../lib/format-time.js';
import { notifyDone } from '../../../lib/notify.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { FormActions } from '../../../ui/FormActions.js';
import { checkExpiry, getExpiry, type KeyExpiry, notChosen } from '../dialogs/key-lifetime.js';
import { KeyExpiryInput } from '../dialogs/KeyExpiryInput.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { describeOutcome, updateKeys } from './bulk-request.js';
import { KeyNames } from './KeyNames.js';

/** Replaces the expiry of keys, within the limit of the organization. */
export function BulkExpiryForm(props: BulkFormProps) {
  const { data, error, refetch } = useQuery(currentOrganizationQuery);
  if (data !== undefined) return <ExpiryForm {...props} maxDays={data.longestKeyLifetimeDays} />;
  return error === null ? <Loader size="sm" /> : <ErrorAlert error={error} onRetry={() => void refetch()} />;
}

function ExpiryForm({ keys, onSaved, maxDays }: BulkFormProps & { maxDays: number | null }) {
  const form = useForm({
    initialValues: { lifetime: notChosen, expiresAt: '' },
    validate: {
      expiresAt: (_time, values) =>
        values.lifetime === notChosen
          ? 'Choose when the keys expire.'
          : checkExpiry(values, { maxDays, now: Date.now() }),
    },
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
  const earlier = countEarlier(keys, form.values, { maxDays, now: useNow() });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KeyNames keys={keys} describe={describeKeyExpiry} />
        <Text size="sm">Replaces the expiry of each key.</Text>
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
        {earlier > 0 && (
          <Text size="sm" c="var(--mantine-color-error)">
            {earlier === 1 ? '1 key expires' : `${formatCount(earlier)} keys expire`} earlier than before.
          </Text>
        )}
        <FormActions submitLabel="Change expiry" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}

function describeKeyExpiry({ expiresAt }: BulkFormProps['keys'][number]): string {
  return expiresAt === undefined ? 'Never expires' : `Expires ${minuteTime(expiresAt)}`;
}

/** Counts the keys that the chosen expiry makes expire earlier than now. */
function countEarlier(
  keys: BulkFormProps['keys'],
  values: KeyExpiry,
  context: { maxDays: number | null; now: number },
): number {
  if (values.lifetime === notChosen) return 0;
  const expiry = getExpiry(values, context)?.getTime();
  if (expiry === undefined) return 0;
  return keys.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > expiry).length;
}
