import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormActions } from '../../../ui/FormActions.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkGracePeriod, type GracePeriod, toSeconds } from './grace-period.js';
import { GracePeriodInput } from './GracePeriodInput.js';
import classes from '../key-name.module.css';

interface RotateKeyFormProps {
  name: string;
  rotate: (gracePeriodSeconds: number) => Promise<void>;
}

/** A form for the grace period of the current key. */
export function RotateKeyForm({ name, rotate }: RotateKeyFormProps) {
  const form = useForm<GracePeriod>({
    initialValues: { choice: '86400', amount: '', unit: 'hours' },
    validate: { amount: (_amount, values) => checkGracePeriod(values) },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => rotate(toSeconds(values)),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          This creates a new key for{' '}
          <Text span fw={600} inherit className={classes.name}>
            {name}
          </Text>
          . The current key keeps working for the period you choose, so you can replace it without downtime.
        </Text>
        <GracePeriodInput
          value={form.values}
          onChange={(change) => {
            form.clearFieldError('amount');
            form.setValues(change);
          }}
          error={form.errors.amount}
        />
        <FormActions submitLabel="Rotate key" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
