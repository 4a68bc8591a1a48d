import { Button, Input, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { initialFocus } from './initial-focus.js';
import { LimitFieldsRow } from './LimitFieldsRow.js';
import { type LimitRow, type LimitValues, newRow } from './limit-rows.js';

interface LimitFieldsProps<Values extends LimitValues> {
  form: UseFormReturnType<Values>;
  /** What the limits apply to. */
  description: string;
  /** Warns of a limit that is already used up. */
  warn?: ((row: LimitRow) => string | undefined) | undefined;
  /** Whether the first limit, or else the button that adds one, gets the focus when its dialog opens. */
  hasInitialFocus?: boolean;
}

/** Limits as rows that read like a sentence: at most 60 requests per minute. */
export function LimitFields<Values extends LimitValues>(props: LimitFieldsProps<Values>) {
  const { form, description, warn, hasInitialFocus = false } = props;
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
          {description} Limits per day, week and month reset at midnight in the organization&apos;s time zone. The
          others refill continuously.
        </Input.Description>
      </div>
      {rows.map((row, index) => (
        <LimitFieldsRow
          key={index}
          name={`Limit ${index + 1}`}
          row={row}
          errorOf={(field) => errors[`limits.${index}.${field}`]}
          warning={warn?.(row)}
          takesFocus={index === added || (hasInitialFocus && index === 0)}
          onChange={(changed) => change(rows.with(index, changed))}
          onRemove={() => {
            change(rows.toSpliced(index, 1));
            setAdded(undefined);
            addButton.current?.focus();
          }}
        />
      ))}
      {errors.limits !== undefined && <Input.Error role="alert">{errors.limits}</Input.Error>}
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
