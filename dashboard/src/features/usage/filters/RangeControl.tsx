import { Group, NativeSelect, Skeleton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { formatDays } from '../../../lib/calendar-day.js';
import { dayAt } from '../../../lib/time-zone.js';
import { useMe } from '../../../session/me.js';
import { useTimeText } from '../../../hooks/use-now.js';
import { Segments } from '../../../ui/Segments.js';
import type { UsageRange } from '../search.js';
import { monthOptions } from './month-options.js';
import { toUsagePeriod } from './usage-period.js';

const DayRangeInput = lazyComponent(() => import('../../../ui/DayRangeInput.js'), 'DayRangeInput');

const ranges: { value: UsageRange['range']; label: string }[] = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
];

interface RangeControlProps {
  search: UsageRange;
  onChange: (change: Partial<UsageRange>) => void;
}

/** Selects a preset range, a calendar month or custom days. */
export function RangeControl({ search, onChange }: RangeControlProps) {
  const { range, month, from, to } = search;
  const { timeZone } = useMe().organization;
  const thisMonth = useTimeText((now) => dayAt(timeZone, new Date(now)).slice(0, 7));
  const choose = (value: string) => {
    const chosen = ranges.find((option) => option.value === value);
    if (chosen !== undefined)
      return onChange({ range: chosen.value, month: undefined, from: undefined, to: undefined });
    if (value === 'month') return onChange({ month: thisMonth, from: undefined, to: undefined });
    // The custom range starts as the visible one.
    const period = toUsagePeriod(search, new Date(), timeZone);
    // The end of a complete month is the start of the next day.
    const last = new Date(Math.min(period.to.getTime() - 1, Date.now()));
    onChange({ month: undefined, from: dayAt(timeZone, period.from), to: dayAt(timeZone, last) });
  };
  return (
    <Group gap="sm">
      <Segments
        size="xs"
        aria-label="Range"
        value={month === undefined ? (from === undefined ? range : 'custom') : 'month'}
        data={[...ranges, { value: 'month', label: 'Month' }, { value: 'custom', label: 'Custom' }]}
        onChange={choose}
      />
      {month !== undefined && (
        <NativeSelect
          size="xs"
          aria-label="Month"
          value={month}
          data={monthOptions(thisMonth, month)}
          onChange={({ currentTarget }) => onChange({ month: currentTarget.value })}
        />
      )}
      {from !== undefined && to !== undefined && (
        <Suspense fallback={<Skeleton h={30} w={220} />}>
          <DayRangeInput
            size="xs"
            miw={220}
            aria-label={`Days: ${formatDays([from, to])}`}
            leftSection={<IconCalendar size={16} aria-hidden />}
            {...{ from, to, onChange }}
          />
        </Suspense>
      )}
    </Group>
  );
}
