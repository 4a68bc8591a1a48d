import { pluralize } from './format-numbers.js';
import { lazily } from './lazily.js';
import { locale } from './locale.js';

const steps = [
  { unit: 'second', seconds: 1, below: 60 },
  { unit: 'minute', seconds: 60, below: 3600 },
  { unit: 'hour', seconds: 3600, below: 86_400 },
  { unit: 'day', seconds: 86_400, below: 60 * 86_400 },
  { unit: 'month', seconds: 30 * 86_400, below: 360 * 86_400 },
  { unit: 'year', seconds: 365 * 86_400, below: Infinity },
] as const;

const exact = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }));
const toMinute = lazily(
  () =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
);

/**
 * Formats a time relative to now, such as "3 minutes ago" or "in 2 days". Browsers take 50 ms to prepare their own format
 * (`Intl.RelativeTimeFormat`), and a slow phone several times that.
 *
 * @param at ISO 8601
 * @param now milliseconds since 1970
 */
export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 10) return 'just now';
  // Rounds first, so a key that expires in just under 90 days expires "in 3 months", not "in 2".
  const step = steps.find((step) => Math.round(distance / step.seconds) * step.seconds < step.below) ?? steps[5];
  const words = pluralize(Math.round(distance / step.seconds), step.unit);
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}

/** Formats a time with its zone, such as "21 Nov 2026, 10:31:05 CET". */
export function exactTime(at: string): string {
  return exact().format(new Date(at));
}

/** Formats the expiry of a key or secret, which needs no seconds, such as "21 Nov 2026, 10:31 CET". */
export function minuteTime(at: string): string {
  return toMinute().format(new Date(at));
}
