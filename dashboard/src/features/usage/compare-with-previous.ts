import type { UsageTotals } from '../../api/schema.js';
import { dayAt } from '../../lib/time-zone.js';
import { formatOptional } from '../../lib/format-numbers.js';
import { describeChange } from './describe-change.js';
import { formatDayOfYear } from './filters/usage-period.js';
import type { Measure } from './measures.js';

interface Compared {
  totals: UsageTotals;
  /** Undefined if some usage of that period was deleted. */
  previousTotals: UsageTotals | undefined;
  previousStart: PreviousStart;
  period: { previousName: string; timeZone: string };
}

/** When usage and costs began, if only after the start of the previous period: ISO 8601, the start of a day. */
export interface PreviousStart {
  usage?: string | undefined;
  cost?: string | undefined;
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
  if (usage.previousTotals === undefined || startOf(measure, usage) === undefined) return undefined;
  return `Changes are vs. ${namePrevious(measure, usage)}.`;
}

type Previous = Pick<Compared, 'previousStart' | 'period'>;

function startOf({ kind }: Pick<Measure, 'kind'>, { previousStart }: Previous): string | undefined {
  return kind === 'cost' ? previousStart.cost : previousStart.usage;
}

/** Such as "September (data only from Sep 28)", if nothing was used before. */
function namePrevious({ kind }: Pick<Measure, 'kind'>, { previousStart, period }: Previous): string {
  const { previousName, timeZone } = period;
  const { usage, cost } = previousStart;
  const start = startOf({ kind }, { previousStart, period });
  if (start === undefined) return previousName;
  const noun = kind === 'cost' && cost !== usage ? 'costs' : 'data';
  return `${previousName} (${noun} only from ${formatDayOfYear(dayAt(timeZone, new Date(start)))})`;
}
