import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormActions } from '../../../ui/FormActions.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkGracePeriod, type GracePeriod, immediately, toSeconds } from './grace-period.js';
import { GracePeriodInput } from './GracePeriodInput.js';
import classes from '../key-name.module.css';

interface RotateKeyFormProps {
  /** Of the key or service account. */
  name: string;
  noun?: 'key' | 'client secret';
  rotate: (gracePeriodSeconds: number) => Promise<void>;
}

/** A form for the grace period of the current key or client secret. */
export function RotateKeyForm({ name, noun = 'key', rotate }: RotateKeyFormProps) {
  const form = useForm<GracePeriod>({
    initialValues: { choice: '86400', amount: '', unit: 'hours' },
    validate: { amount: (_amount, values) => checkGracePeriod(values) },
  });
  const isImmediate = form.values.choice === immediately;
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => rotate(toSeconds(values)),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          This creates a new {noun} for{' '}
          <Text span fw={600} inherit className={classes.name}>
            {name}
          </Text>
          .{' '}
          {isImmediate
            ? `Anything using the current ${noun} will stop working immediately.`
            : `The current ${noun} keeps working until it's revoked, so you can replace it without downtime.`}
        </Text>
        <GracePeriodInput
          label={`Revoke the current ${noun}`}
          value={form.values}
          onChange={(change) => {
            form.clearFieldError('amount');
            form.setValues(change);
          }}
          error={form.errors.amount}
        />
        <FormActions
          submitLabel={`Rotate ${noun}`}
          isDestructive={isImmediate}
          isPending={isPending}
          error={formError}
        />
      </Stack>
    </form>
  );
}
