import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limitRules } from '../../../common/limits/check-limits.js';
import { changedLimits, type LimitValues } from '../../../common/limits/limit-rows.js';
import { LimitFields } from '../../../common/limits/LimitFields.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { notifyDone } from '../../../lib/notify.js';
import { FormActions } from '../../../ui/FormActions.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { describeOutcome, updateKeys } from './bulk-request.js';

/** Replaces the limits of keys. */
export function BulkLimitsForm({ keys, onSaved }: BulkFormProps) {
  const form = useForm<LimitValues>({ initialValues: { limits: [] }, validate: { limits: limitRules } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: ({ limits }) => updateKeys(keys, { limits: changedLimits(limits, []) ?? [] }),
    onDone: (count) => {
      onSaved();
      notifyDone(describeOutcome(count, keys.length, 'updated'));
    },
  });
  const isEmpty = form.values.limits.length === 0;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <LimitFields form={form} description="How much each key may use." hasInitialFocus />
        <FormActions
          submitLabel={isEmpty ? 'Remove limits' : 'Save'}
          isDestructive={isEmpty}
          isPending={isPending}
          error={formError}
        />
      </Stack>
    </form>
  );
}
