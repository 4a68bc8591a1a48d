import { formatFactor, formatPercentChange } from '../../lib/format-numbers.js';

/** From here on, growth is a factor: "+986%" is harder to read than "11 times". */
const leastFactor = 4;
/** Less isn't worth a number. */
const leastChange = 0.001;

/**
 * Compares a value with the value of the previous period, such as "+12.5% vs. the previous 7 days".
 *
 * @param period such as "the previous 7 days" or "October"
 */
export function describeChange(current: number, previous: number, period: string): string {
  if (previous === 0) return `None in ${period}`;
  if (Math.abs(current / previous - 1) < leastChange) return `About the same as ${period}`;
  const factor = describeFactor(current, previous);
  return factor === undefined
    ? `${formatPercentChange(current, previous)} vs. ${period}`
    : `${factor} that of ${period}`;
}

/** Describes large growth, such as "4.2 times"; undefined for less, which is a percentage. */
export function describeFactor(current: number, previous: number): string | undefined {
  const factor = current / previous;
  return factor < leastFactor ? undefined : formatFactor(factor);
}
