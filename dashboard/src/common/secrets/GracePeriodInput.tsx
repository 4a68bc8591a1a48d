import { Group, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { graceChoices, type GracePeriod, graceUnits } from './grace-period.js';

/** Enough for 7 days in minutes, and for what is too long to be reported as such. */
const maxDigits = 6;

interface GracePeriodInputProps {
  label: string;
  value: GracePeriod;
  onChange: (change: Partial<GracePeriod>) => void;
  error: ReactNode;
}

/** Selects how long the current secret keeps working after a rotation. */
export function GracePeriodInput({ label, value, onChange, error }: GracePeriodInputProps) {
  return (
    <>
      <NativeSelect
        label={label}
        data={graceChoices}
        value={value.choice}
        onChange={({ currentTarget }) => onChange({ choice: currentTarget.value })}
        data-autofocus
      />
      {value.choice === 'custom' && (
        <Group align="flex-start" grow>
          <NumberInput
            label="Duration"
            description="Up to 7 days."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            maxLength={maxDigits}
            value={value.amount}
            onChange={(amount) => onChange({ amount })}
            error={error}
          />
          <NativeSelect
            label="Unit"
            data={graceUnits}
            value={value.unit}
            onChange={({ currentTarget }) => onChange({ unit: currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}
