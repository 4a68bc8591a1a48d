import { Group, SegmentedControl, Skeleton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { dayOf, formatDays } from '../../../lib/calendar-day.js';
import type { UsageSearch } from '../search.js';
import { toUsagePeriod } from './usage-period.js';

const DayRangeInput = lazyComponent(() => import('../../../ui/DayRangeInput.js'), 'DayRangeInput');

const ranges: { value: UsageSearch['range']; label: string }[] = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
];

interface RangeControlProps {
  search: UsageSearch;
  onChange: (change: Pick<UsageSearch, 'from' | 'to'> & Partial<Pick<UsageSearch, 'range'>>) => void;
}

/** Selects a preset or custom range. */
export function RangeControl({ search, onChange }: RangeControlProps) {
  const { range, from, to } = search;
  const choose = (value: string) => {
    const chosen = ranges.find((option) => option.value === value);
    if (chosen !== undefined) return onChange({ range: chosen.value, from: undefined, to: undefined });
    // The custom range starts as the visible one.
    const period = toUsagePeriod(search, new Date());
    onChange({ from: dayOf(period.from), to: dayOf(period.to) });
  };
  return (
    <Group gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Range"
        value={from === undefined ? range : 'custom'}
        data={[...ranges, { value: 'custom', label: 'Custom' }]}
        onChange={choose}
      />
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
