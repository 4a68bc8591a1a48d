import type { UsageSums } from '../../api/schema.js';
import { formatCompact, formatCost, formatCostFigure, formatFigure, formatShare } from '../../lib/format-numbers.js';

/** A figure of the overview. */
export interface Measure {
  label: string;
  /** The value to draw. */
  valueOf: (sums: UsageSums) => number;
  format: (sums: UsageSums, currency: string) => string;
  /** A line below the value. */
  note?: (sums: UsageSums, currency: string) => string;
  /** Of a single value, such as the highest of a day. */
  formatValue: (value: number, currency: string) => string;
  isWarning?: boolean;
}

const cost: Measure = {
  label: 'Cost',
  valueOf: (sums) => Number(sums.cost ?? 0),
  format: (sums, currency) => (sums.cost === null ? '–' : formatCostFigure(Number(sums.cost), currency)),
  formatValue: formatCost,
};

const countMeasures: Measure[] = [
  {
    label: 'Requests',
    valueOf: ({ requests }) => requests,
    format: ({ requests }) => formatFigure(requests),
    formatValue: formatFigure,
  },
  {
    label: 'Failed requests',
    valueOf: ({ failures }) => failures,
    format: ({ failures }) => formatFigure(failures),
    note: ({ failures, requests }) => `${formatShare(failures, requests)} of requests`,
    formatValue: formatFigure,
    isWarning: true,
  },
  {
    label: 'Tokens',
    valueOf: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    format: ({ inputTokens, outputTokens }) => formatFigure(inputTokens + outputTokens),
    note: ({ inputTokens, outputTokens }) => `${formatCompact(inputTokens)} in, ${formatCompact(outputTokens)} out`,
    formatValue: formatFigure,
  },
];

/** The figures to show. Costs are left out if no model has a price and there is no budget. */
export function shownMeasures(hasCosts: boolean): Measure[] {
  return hasCosts ? [cost, ...countMeasures] : countMeasures;
}
