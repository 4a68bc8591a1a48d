import { type Meter, meters } from '@rules/meters.js';
import type { UsageTotals } from '../../api/schema.js';

/** Amounts of all meters without usage. */
export const noAmounts = Object.fromEntries(meters.map(({ name }) => [name, 0])) as Record<Meter['name'], number>;

/** The meters to show as charts, figures and columns. Reports in CSV files have all. */
export const shownMeters = meters.filter(({ unit }) => unit !== 'request');

/** Whether to show a meter, for totals of what is shown; undefined while loading. */
export function isShown({ name, source }: Meter, totals: UsageTotals | undefined): boolean {
  return source !== undefined || (totals !== undefined && totals[name] > 0);
}

/** What an amount comes from, or what it's part of; undefined if its title says all. */
export function describeSource({ source, partOf }: Meter): string | undefined {
  if (source !== undefined) return `From ${source}`;
  const whole = meters.find(({ name }) => name === partOf);
  return whole && `Part of ${whole.title.toLowerCase()}`;
}
