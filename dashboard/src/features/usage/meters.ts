import { type Meter, meters } from '@rules/meters.js';
import type { MeasureKey } from './measure-keys.js';

/** Amounts of all meters without usage. */
export const noAmounts = Object.fromEntries(meters.map(({ name }) => [name, 0])) as Record<Meter['name'], number>;

type ShownMeter = Meter & { readonly name: Extract<Meter['name'], MeasureKey> };

/** The meters to show. Reports in CSV files have all. */
export const shownMeters = meters.filter((meter): meter is ShownMeter => meter.unit !== 'request');

/** What an amount is part of; undefined if it's no part. */
export function describeSource({ partOf }: Meter): string | undefined {
  const whole = meters.find(({ name }) => name === partOf);
  return whole && `Part of ${whole.title.toLowerCase()}`;
}
