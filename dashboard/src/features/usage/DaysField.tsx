import '@mantine/dates/styles.css';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { type CalendarDay, dayOf } from './calendar-day.js';
import { formatDays } from './format-interval.js';

type Days = [first: CalendarDay | null, last: CalendarDay | null];

interface DaysFieldProps {
  from: CalendarDay;
  to: CalendarDay;
  onChange: (days: { from: CalendarDay; to: CalendarDay }) => void;
}

/** Chooses the first and the last of some days. */
export function DaysField({ from, to, onChange }: DaysFieldProps) {
  // Only while the first is chosen and the last is not yet.
  const [half, setHalf] = useState<Days>();
  const change = ([first, last]: Days) => {
    const isComplete = first !== null && last !== null;
    setHalf(isComplete ? undefined : [first, last]);
    if (isComplete) onChange({ from: first, to: last });
  };
  const id = useId();
  const days = half ?? [from, to];
  return (
    <DatePickerInput
      type="range"
      // The calendar is called what the button is called, which it finds by the same id.
      id={id}
      popoverProps={{ id, returnFocus: true }}
      ariaLabels={{
        previousMonth: 'Previous month',
        nextMonth: 'Next month',
        previousYear: 'Previous year',
        nextYear: 'Next year',
        previousDecade: 'Previous decade',
        nextDecade: 'Next decade',
      }}
      size="xs"
      miw={220}
      aria-label={`Days: ${formatDays(days)}`}
      leftSection={<IconCalendar size={16} />}
      valueFormatter={() => formatDays(days)}
      value={days}
      onChange={change}
      onDropdownClose={() => setHalf(undefined)}
      maxDate={dayOf(new Date())}
      weekendDays={[]}
      hideOutsideDates
      allowSingleDateInRange
    />
  );
}
