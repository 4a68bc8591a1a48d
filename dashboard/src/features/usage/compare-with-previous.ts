import type { UsageTotals } from '../../api/schema.js';
import { describeChange } from '../../common/usage/describe-change.js';
import { describeStart, type PreviousStart } from '../../common/usage/previous-month.js';
import { formatOptional } from '../../lib/format-numbers.js';
import type { Measure } from './measures.js';

interface Compared {
  totals: UsageTotals;
  /** Undefined if some usage of that period was deleted. */
  previousTotals: UsageTotals | undefined;
  previousStart: PreviousStart;
  period: { previousName: string; timeZone: string };
}

/** When the usage of everything in a table began. */
export interface TableStart {
  previousStart: PreviousStart;
  timeZone: string;
}

/** Compares a figure with the figure of the previous period, or explains why that isn't possible. */
export function compareWithPrevious(measure: Measure, usage: Compared): string {
  const { totals, previousTotals } = usage;
  if (previousTotals === undefined) return "No comparison: older usage isn't kept";
  const previousName = namePrevious(measure, usage);
  if (measure.comparesText === true) {
    return `${previousTotals.requests === 0 ? 'No requests' : figureOf(measure, previousTotals)} in ${previousName}`;
  }
  const [current, previous] = [measure.read(totals), measure.read(previousTotals)];
  if (measure.kind === 'cost' && previous === null && previousTotals.requests > 0) {
    return `No requests with a price in ${previousName}`;
  }
  return describeChange(current ?? 0, previous ?? 0, previousName);
}

/** The prominent total of a measure. */
export function figureOf(measure: Measure, totals: UsageTotals): string {
  return measure.formatFigure?.(totals) ?? formatOptional(measure.read(totals), measure.format);
}

/** Says which part of the previous period the changes of a table are vs.; undefined if all of it has data. */
export function explainPartialChanges(measure: Measure, usage: Omit<Compared, 'totals'>): string | undefined {
  const { previousTotals, previousStart, period } = usage;
  const start = describeStart(measure.kind === 'cost', previousStart, period.timeZone);
  return previousTotals === undefined || start === undefined
    ? undefined
    : `Changes are vs. ${namePrevious(measure, usage)}.`;
}

/** Such as "September (data only from Sep 28)", if nothing was used before. */
function namePrevious(
  { kind }: Pick<Measure, 'kind'>,
  { previousStart, period: { previousName, timeZone } }: Pick<Compared, 'previousStart' | 'period'>,
): string {
  const start = describeStart(kind === 'cost', previousStart, timeZone);
  return start === undefined ? previousName : `${previousName} (${start})`;
}

/**
 * Describes what a row of a table is compared with, such as "vs. data from Oct 12"; undefined if that is as much as for the
 * total, which a note below the table describes.
 */
export function describeRowStart(
  { kind }: Pick<Measure, 'kind'>,
  rowStart: PreviousStart,
  { previousStart, timeZone }: TableStart,
): string | undefined {
  const isCost = kind === 'cost';
  const isSame = isCost ? rowStart.cost === previousStart.cost : rowStart.usage === previousStart.usage;
  const start = describeStart(isCost, rowStart, timeZone, 'from');
  return start === undefined || isSame ? undefined : `vs. ${start}`;
}
