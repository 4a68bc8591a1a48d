import type { UsageSums } from '../../api/schema.js';
import { formatCompact, formatCostFigure, formatFigure, formatShare } from '../../lib/format-numbers.js';

/** A figure of the overview. */
export interface Measure {
  label: string;
  /** The value to draw. */
  valueOf: (sums: UsageSums) => number;
  format: (sums: UsageSums, currency: string) => string;
  /** A line below the value; undefined for none. */
  note?: (sums: UsageSums) => string | undefined;
  /** Of a single value, such as the highest of a day. */
  formatValue: (value: number, currency: string) => string;
  isWarning?: boolean;
  /** The figure of the previous month as text, if the change isn't described; undefined otherwise. */
  describePrevious?: (previous: UsageSums) => string | undefined;
}

const cost: Measure = {
  label: 'Cost',
  valueOf: (sums) => Number(sums.cost ?? 0),
  format: (sums, currency) => (sums.cost === null ? '–' : formatCostFigure(Number(sums.cost), currency)),
  formatValue: formatCostFigure,
  describePrevious: ({ cost, requests }) => (cost === null && requests > 0 ? 'No requests with a price' : undefined),
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
    describePrevious: ({ failures, requests }) => formatShare(failures, requests),
  },
  {
    label: 'Tokens',
    valueOf: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    format: ({ inputTokens, outputTokens }) => formatFigure(inputTokens + outputTokens),
    note: describeTokens,
    formatValue: formatFigure,
  },
];

/** The figures to show. Costs are left out if no model has a price and there is no budget. */
export function shownMeasures(hasCosts: boolean): Measure[] {
  return hasCosts ? [cost, ...countMeasures] : countMeasures;
}

/** Such as "1.2M in, 300k out". If all are of one kind, such as the input of embeddings, it would repeat the figure. */
function describeTokens({ inputTokens, outputTokens }: UsageSums): string | undefined {
  if (inputTokens === 0 || outputTokens === 0) return undefined;
  return `${formatCompact(inputTokens)} in, ${formatCompact(outputTokens)} out`;
}
