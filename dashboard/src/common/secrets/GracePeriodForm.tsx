import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { FormActions } from '../../ui/FormActions.js';
import { checkGracePeriod, type GracePeriod, immediately, toSeconds } from './grace-period.js';
import { GracePeriodInput } from './GracePeriodInput.js';

interface GracePeriodFormProps {
  /** What is revoked after the grace period, such as "current secret". */
  revoked: string;
  submitLabel: string;
  /** Whether any of the current secrets gets a grace period; leaked ones may not. On by default. */
  hasGracePeriod?: boolean;
  /** The choice that is selected first. */
  initialChoice?: string;
  /** Rotates the secrets. */
  rotate: (gracePeriodSeconds: number) => Promise<void>;
  /** Explains what will happen. */
  children: (isImmediate: boolean) => ReactNode;
}

/** The form of a rotation, which asks how long the current secrets keep working. */
export function GracePeriodForm({
  revoked,
  submitLabel,
  hasGracePeriod = true,
  initialChoice = '86400',
  rotate,
  children,
}: GracePeriodFormProps) {
  const form = useForm<GracePeriod>({
    initialValues: { choice: initialChoice, amount: '', unit: 'hours' },
    validate: { amount: (_amount, values) => checkGracePeriod(values) },
  });
  const isImmediate = form.values.choice === immediately;
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => rotate(hasGracePeriod ? toSeconds(values) : 0),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {children(isImmediate)}
        {hasGracePeriod && (
          <GracePeriodInput
            label={`Revoke the ${revoked}`}
            value={form.values}
            onChange={(change) => {
              form.clearFieldError('amount');
              form.setValues(change);
            }}
            error={form.errors.amount}
          />
        )}
        <FormActions
          submitLabel={submitLabel}
          isDestructive={hasGracePeriod && isImmediate}
          isCancelFocused={!hasGracePeriod}
          isPending={isPending}
          error={formError}
        />
      </Stack>
    </form>
  );
}
