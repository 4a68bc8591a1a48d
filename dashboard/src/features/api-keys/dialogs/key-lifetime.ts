import { countOf } from '../../../lib/format-numbers.js';
import { exactTime } from '../../../lib/format-time.js';

const dayMilliseconds = 86_400_000;
/** What the clocks of reader and service may differ by without a longest lifetime being refused. */
const clockMarginMilliseconds = 60_000;
const presetDays = [30, 90, 365];
const latestYear = 2999;

/** When a new key shall expire, as a form holds it. */
export interface KeyExpiry {
  /** `never`, a number of days, or `custom`. */
  lifetime: string;
  /** For `custom`: what a local date and time field holds. */
  expiresAt: string;
}

interface Circumstances {
  /** How long keys of the organization may live; null for no limit. */
  longestDays: number | null;
  /** In milliseconds since 1970. */
  now: number;
}

interface LifetimeChoice {
  value: string;
  label: string;
}

/** What is offered; with a longest lifetime nothing beyond it, and that itself. */
export function lifetimeChoices(longestDays: number | null): LifetimeChoice[] {
  const days = longestDays === null ? presetDays : withLongest(longestDays);
  const presets = days.map((count) => ({ value: String(count), label: daysInWords(count) }));
  const never = { value: 'never', label: 'Never' };
  return [...(longestDays === null ? [never] : []), ...presets, { value: 'custom', label: 'At a time of your choice' }];
}

/** What is chosen at first: as long as is allowed. */
export function defaultLifetime(longestDays: number | null): string {
  return longestDays === null ? 'never' : String(longestDays);
}

/** When a key created now would expire; `undefined` for never. */
export function expiryOf({ lifetime, expiresAt }: KeyExpiry, { longestDays, now }: Circumstances): Date | undefined {
  if (lifetime === 'never') return undefined;
  if (lifetime === 'custom') return new Date(expiresAt);
  const days = Number(lifetime);
  return new Date(now + days * dayMilliseconds - (days === longestDays ? clockMarginMilliseconds : 0));
}

/** Why the service would refuse the expiry; `undefined` for a good one. */
export function checkExpiry({ lifetime, expiresAt }: KeyExpiry, circumstances: Circumstances): string | undefined {
  return lifetime === 'custom' ? checkTime(new Date(expiresAt), circumstances) : undefined;
}

function checkTime(time: Date, { longestDays, now }: Circumstances): string | undefined {
  const milliseconds = time.getTime();
  if (Number.isNaN(milliseconds)) return 'Choose a date and a time.';
  if (milliseconds <= now) return 'Choose a time in the future.';
  const latest = longestDays === null ? undefined : now + longestDays * dayMilliseconds;
  if (latest !== undefined && milliseconds > latest) {
    return `Choose a time until ${exactTime(new Date(latest).toISOString())}.`;
  }
  return time.getUTCFullYear() > latestYear ? `Choose a time until the year ${latestYear}.` : undefined;
}

/** A time as a local date and time field wants it, to the minute. */
export function toLocalField(time: number): string {
  const offsetMilliseconds = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMilliseconds).toISOString().slice(0, 16);
}

/** Such as "90 days", and "1 year" for the usual one. */
export function daysInWords(days: number): string {
  return days === 365 ? '1 year' : countOf(days, 'day');
}

function withLongest(longestDays: number): number[] {
  return [...presetDays.filter((days) => days < longestDays), longestDays];
}
