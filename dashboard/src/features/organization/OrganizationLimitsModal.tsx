import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { LimitState } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { notifyDone } from '../../lib/notify.js';
import { FormActions } from '../../ui/FormActions.js';
import { FormModal } from '../../ui/FormModal.js';
import { LimitFields } from '../../common/limits/LimitFields.js';
import { limitRules } from '../../common/limits/check-limits.js';
import { changedLimits, type LimitValues, toRows } from '../../common/limits/limit-rows.js';
import { useCurrency } from '../../common/limits/use-currency.js';
import { useLimitWarning } from '../../common/limits/use-limit-warning.js';

interface OrganizationLimitsModalProps {
  limits: LimitState[];
  isOpen: boolean;
  onClose: () => void;
}

/** Changes the limits of all keys together. */
export function OrganizationLimitsModal({ isOpen, ...content }: OrganizationLimitsModalProps) {
  return (
    <FormModal isOpen={isOpen} onClose={content.onClose} title="Organization limits" size="lg">
      <OrganizationLimitsForm {...content} />
    </FormModal>
  );
}

function OrganizationLimitsForm({ limits, onClose }: Omit<OrganizationLimitsModalProps, 'isOpen'>) {
  const currency = useCurrency();
  const form = useForm<LimitValues>({
    initialValues: { limits: toRows(limits, currency) },
    validate: { limits: limitRules },
  });
  const warn = useLimitWarning({ rows: form.values.limits, states: limits });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const body = { limits: changedLimits(values.limits, form.getInitialValues().limits) };
      return unwrap(api.PATCH('/organizations/current', { body }));
    },
    onDone: async () => {
      await refresh('organizations');
      onClose();
      notifyDone('Limits saved. They apply to the next request.');
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <LimitFields form={form} description="How much all keys together may use." warn={warn} hasInitialFocus />
        <FormActions submitLabel="Save" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
