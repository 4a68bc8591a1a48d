import { ActionIcon, Button, Group, Input, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId } from '@mantine/hooks';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { maxLimit, metrics, periodsOf } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import { digitGroupSeparator, formatCount } from '../../lib/format-numbers.js';
import classes from './Limits.module.css';
import { type LimitRow, type LimitValues, newRow, readGroupedNumber, warnOfUse, withMetric } from './limits.js';

interface LimitFieldsProps<Values extends LimitValues> {
  form: UseFormReturnType<Values>;
  /** What the limits apply to. */
  description: string;
  /** The current limits, to warn of limits that are already used up. */
  states?: readonly LimitState[];
  /** Whether the first limit, or else the button that adds one, gets the focus when its dialog opens. */
  hasInitialFocus?: boolean;
}

/** Limits as rows that read like a sentence: at most 60 requests per minute. */
export function LimitFields<Values extends LimitValues>(props: LimitFieldsProps<Values>) {
  const { form, description, states = [], hasInitialFocus = false } = props;
  const labelId = useId();
  const addButton = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<number>();
  const { errors } = form;
  const rows: LimitRow[] = form.values.limits;
  const next = newRow(rows);
  const change = (limits: LimitRow[]) => {
    form.setValues((values) => ({ ...values, limits }));
    // Rows move, so their errors would be shown at others.
    form.setErrors(Object.fromEntries(Object.entries(errors).filter(([path]) => path.split('.')[0] !== 'limits')));
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby={labelId}>
      <div>
        <Input.Label labelElement="div" id={labelId}>
          Limits
        </Input.Label>
        <Input.Description>
          {description} Limits per day reset at midnight UTC, limits per month on the first day. The others refill
          continuously.
        </Input.Description>
      </div>
      {rows.map((row, index) => (
        <LimitFieldsRow
          key={index}
          name={`Limit ${index + 1}`}
          row={row}
          maxError={errors[`limits.${index}.max`]}
          choiceError={errors[`limits.${index}.metric`] ?? errors[`limits.${index}.per`]}
          warning={warnOfUse(row, states)}
          takesFocus={index === added || (hasInitialFocus && index === 0)}
          onChange={(changed) => change(rows.with(index, changed))}
          onRemove={() => {
            change(rows.toSpliced(index, 1));
            setAdded(undefined);
            addButton.current?.focus();
          }}
        />
      ))}
      {errors.limits !== undefined && <Input.Error>{errors.limits}</Input.Error>}
      <div>
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={next === undefined}
          {...initialFocus(hasInitialFocus && rows.length === 0)}
          onClick={() => {
            if (next === undefined) return;
            change([...rows, next]);
            setAdded(rows.length);
          }}
        >
          Add limit
        </Button>
      </div>
    </Stack>
  );
}

/** Props of an element that takes the focus when it appears, in a dialog that opens or already is open. */
const initialFocus = (takesFocus: boolean) => ({ autoFocus: takesFocus, 'data-autofocus': takesFocus || undefined });

interface LimitFieldsRowProps {
  /** Accessible name. */
  name: string;
  row: LimitRow;
  maxError: ReactNode;
  /** What is wrong with the choice of metric and period. */
  choiceError: ReactNode;
  warning: string | undefined;
  /** Whether its field takes the focus when it appears. */
  takesFocus: boolean;
  onChange: (row: LimitRow) => void;
  onRemove: () => void;
}

function LimitFieldsRow(props: LimitFieldsRowProps) {
  const { name, row, maxError, choiceError, warning, takesFocus, onChange, onRemove } = props;
  const errorId = useId();
  const error = maxError ?? choiceError;
  const describeError = (own: ReactNode) => ({
    error: own !== undefined,
    'aria-describedby': own === undefined ? undefined : errorId,
  });
  return (
    <div role="group" aria-label={name} className={classes.row}>
      <Group gap="6px var(--mantine-spacing-xs)">
        <Text size="sm">At most</Text>
        <NumberInput
          aria-label="Maximum"
          className={classes.max}
          value={row.max}
          onChange={(max) => onChange({ ...row, max })}
          onPaste={(event) => {
            // The field itself would read the separator of another country as a decimal point.
            const max = readGroupedNumber(event.clipboardData.getData('text'));
            if (max === undefined) return;
            event.preventDefault();
            onChange({ ...row, max });
          }}
          thousandSeparator={digitGroupSeparator}
          decimalSeparator={digitGroupSeparator === '.' ? ',' : '.'}
          min={1}
          max={maxLimit}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          maxLength={formatCount(maxLimit).length}
          autoComplete="off"
          {...initialFocus(takesFocus)}
          {...describeError(maxError)}
        />
        <NativeSelect
          aria-label="What to count"
          className={`${classes.choice} ${classes.secondLine}`}
          data={metrics}
          value={row.metric}
          onChange={({ currentTarget: { selectedIndex } }) =>
            onChange(withMetric(row, metrics[selectedIndex] ?? row.metric))
          }
          {...describeError(maxError === undefined ? choiceError : undefined)}
        />
        <Text size="sm" className={classes.secondLine}>
          per
        </Text>
        <NativeSelect
          aria-label="Period"
          className={`${classes.choice} ${classes.secondLine}`}
          data={periodsOf(row.metric)}
          value={row.per}
          onChange={({ currentTarget: { selectedIndex } }) =>
            onChange({ ...row, per: periodsOf(row.metric)[selectedIndex] ?? row.per })
          }
          {...describeError(maxError === undefined ? choiceError : undefined)}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name.toLowerCase()}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {error !== undefined && (
        <Input.Error id={errorId} mt={4}>
          {error}
        </Input.Error>
      )}
      {warning !== undefined && (
        <Text size="xs" mt={4} role="status">
          {warning}
        </Text>
      )}
    </div>
  );
}
