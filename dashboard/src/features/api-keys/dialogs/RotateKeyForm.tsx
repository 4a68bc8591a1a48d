import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormActions } from '../../../ui/FormActions.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkGracePeriod, type GracePeriod, graceSeconds } from './grace-period.js';
import { GracePeriodInput } from './GracePeriodInput.js';
import classes from '../key-name.module.css';

interface RotateKeyFormProps {
  /** What the key is called. */
  name: string;
  rotate: (gracePeriodSeconds: number) => Promise<void>;
  onCancel: () => void;
}

/** Asks how long the present key goes on beside the new one. */
export function RotateKeyForm({ name, rotate, onCancel }: RotateKeyFormProps) {
  const form = useForm<GracePeriod>({
    initialValues: { choice: '86400', amount: '', unit: 'hours' },
    validate: { amount: (_amount, values) => checkGracePeriod(values) },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => rotate(graceSeconds(values)),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          You get a new key for{' '}
          <Text span fw={600} inherit className={classes.name}>
            {name}
          </Text>{' '}
          at once, and the present one goes on for as long as you choose, so that you can replace it everywhere without
          an interruption.
        </Text>
        <GracePeriodInput
          value={form.values}
          onChange={(change) => {
            form.clearFieldError('amount');
            form.setValues(change);
          }}
          error={form.errors.amount}
        />
        <FormActions submitLabel="Rotate key" isPending={isPending} error={formError} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
