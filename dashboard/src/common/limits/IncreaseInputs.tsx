import { Group, TextInput } from '@mantine/core';
import type { Metric } from '@rules/limit-rules.js';
import type { ReactNode } from 'react';
import { AmountInput } from './AmountInput.js';
import type { LimitRow } from './limit-rows.js';

interface IncreaseInputsProps {
  metric: Metric;
  currency: string | undefined;
  value: LimitRow['increase'];
  byError: ReactNode;
  untilError: ReactNode;
  onChange: (value: LimitRow['increase']) => void;
  /** Follows the fields. */
  children?: ReactNode;
}

/** By how much one or several limits are raised, and until when. */
export function IncreaseInputs(props: IncreaseInputsProps) {
  const { metric, currency, value, byError, untilError, onChange, children } = props;
  return (
    <Group gap="xs" align="flex-start">
      <AmountInput
        label="Increase by"
        flex="1 1 130px"
        metric={metric}
        currency={currency}
        value={value.by}
        onChange={(by) => onChange({ ...value, by })}
        error={byError}
      />
      <TextInput
        type="datetime-local"
        label="Until"
        flex="1 1 190px"
        max="9999-12-31T23:59"
        value={value.until}
        onChange={({ currentTarget }) => onChange({ ...value, until: currentTarget.value })}
        error={untilError}
      />
      {children}
    </Group>
  );
}
