import type { MantineBreakpoint } from '@mantine/core';
import { Text } from '@mantine/core';
import { meters } from '@rules/meters.js';
import type { UsageTotals } from '../../api/schema.js';
import {
  costFormatter,
  formatCount,
  formatLatency,
  formatOptional,
  formatShare,
  pluralize,
} from '../../lib/format-numbers.js';
import type { Column } from '../../ui/DataTable.js';
import type { LabelledGroup } from './charts/series.js';
import { compareTotals } from './compare-totals.js';
import { describeRowStart, type TableStart } from './compare-with-previous.js';
import { isByModel, type Measure } from './measures.js';
import type { GroupSort } from './search.js';
import { costOf } from './usage-totals.js';

type GroupColumn = Column<LabelledGroup, GroupSort>;

/**
 * The columns of a table of groups, except names: the measure of the chart, its share and its change, then the other
 * measures.
 *
 * @param totals of all groups; shares are shown once they are known
 * @param rows which decide about the decimals of costs, with the totals
 * @param start when all usage began; undefined if there is no period to compare with
 */
export function groupColumns(
  measures: readonly Measure[],
  selected: Measure,
  totals: UsageTotals | undefined,
  rows: readonly LabelledGroup[],
  start: TableStart | undefined,
): GroupColumn[] {
  const formatCost = costFormatterOf(measures, costsOf(rows, totals));
  const others = measures.filter((measure) => measure !== selected);
  return [
    ...(selected.key === 'latency' ? percentiles : [columnOf(selected, formatCost)]),
    ...(selected.kind === 'latency' ? [] : [shareColumn(selected, totals)]),
    ...(start === undefined ? [] : [changeColumn(selected, formatCost, start)]),
    ...others.map((measure) => ({ ...columnOf(measure, formatCost), ...hiding(measure, formatCost) })),
  ];
}

/** The costs of the rows and of the total. */
export function costsOf(rows: readonly LabelledGroup[], totals: UsageTotals | undefined): number[] {
  return [...rows, ...(totals === undefined ? [] : [{ totals }])].flatMap((row) => costOf(row.totals) ?? []);
}

/** All costs have the same number of decimals. */
function costFormatterOf(measures: readonly Measure[], amounts: readonly number[]): (amount: number) => string {
  const cost = measures.find(({ kind }) => kind === 'cost');
  const needsDecimals = cost !== undefined && amounts.length > 0;
  return needsDecimals ? costFormatter(amounts, cost.currency ?? 'USD') : (cost?.format ?? String);
}

function columnOf(measure: Measure, formatCost: (amount: number) => string): GroupColumn {
  const { key, title } = measure;
  return {
    key,
    header: title,
    sortKey: key,
    align: 'right',
    render: (group) => <Amount group={group} measure={measure} formatCost={formatCost} />,
  };
}

interface AmountProps {
  group: LabelledGroup;
  measure: Measure;
  formatCost: (amount: number) => string;
}

function Amount({ group: { model, totals }, measure, formatCost }: AmountProps) {
  const { key, read, format } = measure;
  const value = read(totals);
  if (key === 'failures' && totals.failures > 0) return describeFailures(totals);
  // Of a model, only rejections after it was read are known.
  if (key === 'limited' && model !== undefined && value === 0) return '–';
  if (key !== 'cost') return formatOptional(value, format);
  return (
    <>
      {formatOptional(value, formatCost)}
      {value !== null && totals.unpricedRequests > 0 && (
        <Text size="xs" c="dimmed">
          Excludes {pluralize(totals.unpricedRequests, 'request')}
        </Text>
      )}
    </>
  );
}

/** Such as "3 (0.3%)". */
function describeFailures({ failures, requests }: UsageTotals): string {
  return `${formatCount(failures)} (${formatShare(failures, requests)})`;
}

/** Percentiles of the duration, while it's shown. */
const percentiles: GroupColumn[] = [
  {
    key: 'median',
    header: 'Median',
    render: ({ totals }) => formatOptional(totals.medianMilliseconds, formatLatency),
    align: 'right',
    visibleFrom: 'xs',
    whenHidden: ({ totals }) => `Median ${formatOptional(totals.medianMilliseconds, formatLatency)}`,
  },
  {
    key: 'p95',
    header: '95%',
    sortKey: 'latency',
    render: ({ totals }) => formatOptional(totals.p95Milliseconds, formatLatency),
    align: 'right',
  },
  {
    key: 'p99',
    header: '99%',
    render: ({ totals }) => formatOptional(totals.p99Milliseconds, formatLatency),
    align: 'right',
    visibleFrom: 'xs',
    whenHidden: ({ totals }) => `99% ${formatOptional(totals.p99Milliseconds, formatLatency)}`,
  },
];

function shareColumn({ read }: Measure, all: UsageTotals | undefined): GroupColumn {
  const whole = all === undefined ? null : read(all);
  const shareOf = ({ totals }: LabelledGroup) => {
    const value = read(totals);
    return value === null || whole === null ? null : formatShare(value, whole);
  };
  return {
    key: 'share',
    header: 'Share',
    align: 'right',
    visibleFrom: 'sm',
    render: (group) => shareOf(group) ?? '–',
    whenHidden: (group) => {
      const share = shareOf(group);
      return share === null ? null : (
        <>
          Share <Unbroken>{share}</Unbroken>
        </>
      );
    },
  };
}

/** How much the measure changed since the period before. */
function changeColumn(measure: Measure, formatCost: (amount: number) => string, start: TableStart): GroupColumn {
  const format = measure.key === 'cost' ? formatCost : measure.format;
  const changeOf = ({ totals, previousTotals, comparedUsageFrom, comparedCostFrom }: LabelledGroup) => {
    const { difference, note } = compareTotals(measure, totals, previousTotals, format) ?? {};
    const rowStart = { usage: comparedUsageFrom, cost: comparedCostFrom };
    const basis = difference === undefined ? undefined : describeRowStart(measure, rowStart, start);
    return { difference, notes: [note, basis].filter((text) => text !== undefined) };
  };
  return {
    key: 'change',
    header: 'Change',
    sortKey: 'change',
    align: 'right',
    visibleFrom: 'md',
    render: (group) => {
      const { difference = '–', notes } = changeOf(group);
      return (
        <>
          {difference}
          {notes.map((note) => (
            <Text key={note} size="xs" c="dimmed">
              {note}
            </Text>
          ))}
        </>
      );
    },
    whenHidden: (group) => {
      const { difference, notes } = changeOf(group);
      if (difference === undefined || difference === '–') return notes[0] ?? null;
      return (
        <>
          Change <Unbroken>{difference}</Unbroken>
          {notes.length > 0 && ` (${notes.join(' ')})`}
        </>
      );
    },
  };
}

/** From which width the column of a measure is shown, if it isn't the selected one, and what narrower windows show instead. */
function hiding(
  measure: Measure,
  formatCost: (amount: number) => string,
): Pick<GroupColumn, 'visibleFrom' | 'whenHidden'> {
  const { key, title, read, format } = measure;
  const text = (value: number) => (key === 'cost' ? formatCost(value) : format(value));
  return {
    visibleFrom: breakpointOf(measure),
    whenHidden: ({ totals }) => {
      const value = read(totals);
      if (value === null || (value === 0 && key !== 'requests')) return null;
      if (key === 'requests') return <Unbroken>{pluralize(value, 'request')}</Unbroken>;
      return (
        <>
          {key !== 'cost' && `${title} `}
          <Unbroken>{key === 'failures' ? describeFailures(totals) : text(value)}</Unbroken>
        </>
      );
    },
  };
}

/** Names may be broken anywhere, but not numbers next to them. */
function Unbroken({ children }: { children: string }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}

/** Parts of other amounts, and times, need a wide window. */
function breakpointOf({ key }: Measure): MantineBreakpoint {
  if (key === 'requests' || key === 'cost') return 'xs';
  if (key === 'failures') return 'sm';
  const meter = meters.find(({ name }) => name === key);
  return meter?.partOf === undefined && !isByModel(key) ? 'lg' : 'xl';
}
