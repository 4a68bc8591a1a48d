import '@mantine/dates/styles.css';
import { DatePickerInput } from '@mantine/dates';
import { useState } from 'react';
import { type Day, daysBefore } from './days.js';
import classes from './PeriodField.module.css';

type Days = [first: Day | null, last: Day | null];

interface PeriodFieldProps {
  from: Day | undefined;
  to: Day | undefined;
  onChange: (period: { from: Day | undefined; to: Day | undefined }) => void;
}

/** The first and the last of the days that are looked at. */
export function PeriodField({ from, to, onChange }: PeriodFieldProps) {
  // Only while the first is chosen and the last is not yet.
  const [half, setHalf] = useState<Days>();
  const change = ([first, last]: Days) => {
    const isHalf = first !== null && last === null;
    setHalf(isHalf ? [first, last] : undefined);
    if (!isHalf) onChange({ from: first ?? undefined, to: last ?? undefined });
  };
  const now = new Date();
  const today = daysBefore(now, 0);
  return (
    <DatePickerInput
      type="range"
      label="When"
      placeholder="Any time"
      classNames={{ placeholder: classes.placeholder }}
      valueFormat="D MMM YYYY"
      value={half ?? [from ?? null, to ?? null]}
      onChange={change}
      onDropdownClose={() => setHalf(undefined)}
      presets={[
        { label: 'Today', value: [today, today] },
        { label: 'Last 7 days', value: [daysBefore(now, 6), today] },
        { label: 'Last 30 days', value: [daysBefore(now, 29), today] },
      ]}
      maxDate={today}
      weekendDays={[]}
      allowSingleDateInRange
      clearable
      clearButtonProps={{ 'aria-label': 'Any time' }}
    />
  );
}
