import { Button, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ErrorAlert } from '../../components/ErrorAlert.js';
import { useFormSubmission } from '../../components/use-form-submission.js';
import { checkGracePeriod, graceChoices, graceSeconds, graceUnits } from './grace-period.js';
import classes from './key-name.module.css';

interface RotateKeyFormProps {
  /** What the key is called. */
  name: string;
  rotate: (gracePeriodSeconds: number) => Promise<void>;
  onCancel: () => void;
}

/** Asks how long the present key goes on beside the new one. */
export function RotateKeyForm({ name, rotate, onCancel }: RotateKeyFormProps) {
  const form = useForm({
    initialValues: { choice: '86400', amount: '' as number | string, unit: 'hours' },
    validate: { amount: (_amount, values) => checkGracePeriod(values) },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => rotate(graceSeconds(values)),
    onDone: () => undefined,
  });
  const { choice, amount, unit } = form.values;
  const change = (values: Partial<typeof form.values>) => {
    form.clearFieldError('amount');
    form.setValues(values);
  };
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
        <NativeSelect
          label="Keep accepting the present key for"
          data={graceChoices}
          value={choice}
          onChange={({ currentTarget }) => change({ choice: currentTarget.value })}
          data-autofocus
        />
        {choice === 'custom' && (
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <NumberInput
              label="How long"
              description="At most 7 days."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={0}
              value={amount}
              onChange={(next) => change({ amount: next })}
              error={form.errors.amount}
            />
            <NativeSelect
              label="Unit"
              data={Object.keys(graceUnits)}
              value={unit}
              onChange={({ currentTarget }) => change({ unit: currentTarget.value })}
            />
          </Group>
        )}
        {formError !== null && <ErrorAlert error={formError} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Rotate key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
