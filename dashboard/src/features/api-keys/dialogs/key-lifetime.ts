import { pluralize } from '../../../lib/format-numbers.js';
import { minuteTime } from '../../../lib/format-time.js';
import { toLocalField } from '../../../lib/local-field.js';

const dayMilliseconds = 86_400_000;
/** How far the clock of the browser may be ahead of the service's when the maximum lifetime is chosen. */
const clockMarginMilliseconds = 60_000;
const presetDays = [30, 90, 365];
const latestYear = 2999;

/** The lifetime in forms that suggest none. */
export const notChosen = '';

/** The expiry of a key, as form values. */
export interface KeyExpiry {
  /** `never`, a number of days, `custom` or `notChosen`. */
  lifetime: string;
  /** Only for `custom`: the value of a `datetime-local` field. */
  expiresAt: string;
}

interface ExpiryContext {
  /** The organization's maximum key lifetime; null means no limit. */
  maxDays: number | null;
  /** Milliseconds since 1970. */
  now: number;
}

interface LifetimeChoice {
  value: string;
  label: string;
}

/** Options up to and including the maximum lifetime. */
export function lifetimeChoices(maxDays: number | null): LifetimeChoice[] {
  const days = maxDays === null ? presetDays : upToMax(maxDays);
  const presets = days.map((count) => ({ value: String(count), label: formatLifetime(count) }));
  const never = { value: 'never', label: 'Never' };
  return [...(maxDays === null ? [never] : []), ...presets, { value: 'custom', label: 'Custom date' }];
}

/** The initial option: the longest lifetime allowed. */
export function defaultLifetime(maxDays: number | null): string {
  return maxDays === null ? 'never' : String(maxDays);
}

/** Returns the form values for a key that expires then, or never. Without a valid one, they are the shortest preset. */
export function currentExpiry(expiresAt: string | undefined, { maxDays, now }: ExpiryContext): KeyExpiry {
  const time = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  if (time !== undefined && time > now) return { lifetime: 'custom', expiresAt: toLocalField(time) };
  const shortest = String(Math.min(...presetDays, maxDays ?? Infinity));
  return { lifetime: time === undefined && maxDays === null ? 'never' : shortest, expiresAt: '' };
}

/** Returns when a key created now expires, or `undefined` for never. */
export function getExpiry({ lifetime, expiresAt }: KeyExpiry, { maxDays, now }: ExpiryContext): Date | undefined {
  if (lifetime === 'never') return undefined;
  if (lifetime === 'custom') return new Date(expiresAt);
  const days = Number(lifetime);
  return new Date(now + days * dayMilliseconds - (days === maxDays ? clockMarginMilliseconds : 0));
}

/** Returns an error message, or `undefined` if the expiry is valid. */
export function checkExpiry({ lifetime, expiresAt }: KeyExpiry, context: ExpiryContext): string | undefined {
  return lifetime === 'custom' ? checkTime(new Date(expiresAt), context) : undefined;
}

function checkTime(time: Date, { maxDays, now }: ExpiryContext): string | undefined {
  const milliseconds = time.getTime();
  if (Number.isNaN(milliseconds)) return 'Enter both a date and a time.';
  if (milliseconds <= now) return 'Choose a time in the future.';
  const latest = maxDays === null ? undefined : now + maxDays * dayMilliseconds;
  if (latest !== undefined && milliseconds > latest) {
    return `Choose a time no later than ${minuteTime(new Date(latest).toISOString())}.`;
  }
  return time.getUTCFullYear() > latestYear ? `Choose a year up to ${latestYear}.` : undefined;
}

/** Formats a lifetime, such as "90 days" or "1 year". */
export function formatLifetime(days: number): string {
  return days === 365 ? '1 year' : pluralize(days, 'day');
}

function upToMax(maxDays: number): number[] {
  return [...presetDays.filter((days) => days < maxDays), maxDays];
}
