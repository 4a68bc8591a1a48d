import { dayOf, daysBefore, type CalendarDay } from '../../../lib/calendar-day.js';
import { DayRangeInput } from '../../../ui/DayRangeInput.js';

interface PeriodFieldProps {
  from: CalendarDay | undefined;
  to: CalendarDay | undefined;
  onChange: (period: { from: CalendarDay | undefined; to: CalendarDay | undefined }) => void;
}

/** The first and the last of the days that are looked at; any time without them. */
export function PeriodField(props: PeriodFieldProps) {
  const now = new Date();
  const today = dayOf(now);
  return (
    <DayRangeInput
      label="When"
      placeholder="Any time"
      presets={[
        { label: 'Today', value: [today, today] },
        { label: 'Last 7 days', value: [daysBefore(now, 6), today] },
        { label: 'Last 30 days', value: [daysBefore(now, 29), today] },
      ]}
      clearable
      clearButtonProps={{ 'aria-label': 'Any time' }}
      {...props}
    />
  );
}
