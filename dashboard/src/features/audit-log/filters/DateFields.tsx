import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUrlText } from '../../../hooks/use-url-text.js';
import { type CalendarDay, dayOf, daysBefore } from '../../../lib/calendar-day.js';
import { atClock, clockOf, dayOfTime, endOfTime, type LocalTime, startOfTime } from '../../../lib/local-time.js';
import { DayRangeInput } from '../../../ui/DayRangeInput.js';
import type { AuditLogSearch } from '../search.js';

type Range = Pick<AuditLogSearch, 'from' | 'to'>;

interface DateFieldsProps extends Range {
  onChange: (range: Range) => void;
}

/** Filters by date and, once there is one, by the time of the first and the last day, to the minute. */
export function DateFields({ from, to, onChange }: DateFieldsProps) {
  const now = new Date();
  const today = dayOf(now);
  const first = dayOfTime(from);
  const last = dayOfTime(to);
  return (
    <>
      <DayRangeInput
        label="Date"
        placeholder="Any time"
        from={first}
        to={last}
        onChange={onChange}
        presets={[
          { label: 'Today', value: [today, today] },
          { label: 'Last 7 days', value: [daysBefore(now, 6), today] },
          { label: 'Last 30 days', value: [daysBefore(now, 29), today] },
        ]}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear date' }}
      />
      {from !== undefined && to !== undefined && first !== undefined && last !== undefined && (
        // Another range starts with whole days.
        <ClockFields key={`${first} ${last}`} from={from} to={to} first={first} last={last} onChange={onChange} />
      )}
    </>
  );
}

interface ClockFieldsProps extends DateFieldsProps {
  from: LocalTime;
  to: LocalTime;
  first: CalendarDay;
  last: CalendarDay;
}

/** The times of the first and the last day. Empty fields stand for the whole day. */
function ClockFields({ from, to, first, last, onChange }: ClockFieldsProps) {
  const start = useUrlText(clockOf(from));
  const end = useUrlText(clockOf(to));
  const [isReversed, setIsReversed] = useState(false);
  const change = (startClock: string, endClock: string) => {
    start.setText(startClock);
    end.setText(endClock);
    const range = { from: atClock(first, startClock), to: atClock(last, endClock) };
    const isInOrder = startOfTime(range.from) < endOfTime(range.to);
    setIsReversed(!isInOrder);
    if (!isInOrder) return;
    start.expectUrlText(startClock);
    end.expectUrlText(endClock);
    onChange(range);
  };
  return (
    <SimpleGrid cols={2} spacing="sm">
      <TextInput
        type="time"
        label="From"
        maxLength={5}
        value={start.text}
        onChange={({ currentTarget }) => change(currentTarget.value, end.text)}
      />
      <TextInput
        type="time"
        label="To"
        maxLength={5}
        value={end.text}
        error={isReversed && 'Must be after the start.'}
        onChange={({ currentTarget }) => change(start.text, currentTarget.value)}
      />
    </SimpleGrid>
  );
}
