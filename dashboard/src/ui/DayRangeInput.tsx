import '@mantine/dates/styles.css';
import { DatePickerInput, type DatePickerInputProps, type DayOfWeek } from '@mantine/dates';
import { useId, useRef, useState } from 'react';
import { useCalendarKeys } from '../hooks/use-calendar-keys.js';
import { type CalendarDay, dayOf, formatDay, formatDays } from '../lib/calendar-day.js';
import { firstDayOfWeek } from '../lib/locale.js';
import classes from './DayRangeInput.module.css';

type Days = [first: CalendarDay | null, last: CalendarDay | null];

interface DayRangeInputProps extends Omit<DatePickerInputProps<'range'>, 'type' | 'value' | 'onChange'> {
  from: CalendarDay | undefined;
  to: CalendarDay | undefined;
  onChange: (days: { from: CalendarDay | undefined; to: CalendarDay | undefined }) => void;
}

const ariaLabels = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
};

/** Selects a range of days, up to today. */
export function DayRangeInput({ from, to, onChange, ...props }: DayRangeInputProps) {
  // Set while only the first day is selected.
  const [half, setHalf] = useState<Days>();
  const change = ([first, last]: Days) => {
    // Mantine clears the value if it closes after the first day. The previous days remain.
    if (half !== undefined && first === null) return setHalf(undefined);
    const isHalf = first !== null && last === null;
    setHalf(isHalf ? [first, last] : undefined);
    if (!isHalf) onChange({ from: first ?? undefined, to: last ?? undefined });
    // The button that clears the days disappears.
    if (first === null) field.current?.focus();
  };
  const id = useId();
  const field = useRef<HTMLButtonElement>(null);
  const today = dayOf(new Date());
  const { reset, ...calendar } = useCalendarKeys(to ?? today, today);
  const days: Days = half ?? [from ?? null, to ?? null];
  return (
    <DatePickerInput
      ref={field}
      type="range"
      // Gives the calendar the accessible name of the button, which Mantine finds by this id.
      id={id}
      classNames={{
        day: classes.day,
        datePickerRoot: classes.picker,
        presetsList: classes.presets,
      }}
      popoverProps={{ id, returnFocus: true }}
      ariaLabels={ariaLabels}
      getDayAriaLabel={formatDay}
      valueFormatter={() => formatDays(days)}
      value={days}
      onChange={change}
      onDropdownClose={() => {
        setHalf(undefined);
        reset();
      }}
      maxDate={today}
      {...calendar}
      firstDayOfWeek={firstDayOfWeek() as DayOfWeek}
      weekendDays={[]}
      hideOutsideDates
      allowSingleDateInRange
      {...props}
    />
  );
}
