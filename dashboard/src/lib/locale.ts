// Outside browsers, such as in unit tests, there may be no `navigator`.
const { navigator } = globalThis as { navigator?: { language: string } };
const language = toLanguageTag(navigator?.language ?? 'en-GB');

/** For dates, times and numbers: English, in the format of the user's region. */
export const locale = toLocale(language);

/** Returns `en` for names that aren't language tags. In a POSIX locale, Chromium's `navigator.language` is `en-US@posix`. */
export function toLanguageTag(name: string): string {
  try {
    return new Intl.Locale(name).toString();
  } catch {
    return 'en';
  }
}

/**
 * Returns the locale of an English page for a user of another language: days before months or after them, and 12 or 24
 * hours, as in that language. Variants of English are left unchanged.
 *
 * @param language BCP 47, such as `de-CH`
 */
export function toLocale(language: string): string {
  if (/^en(-|$)/i.test(language)) return language;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' });
  const parts = format.formatToParts().map(({ type }) => type);
  const english = parts.indexOf('month') < parts.indexOf('day') ? 'en-US' : 'en-GB';
  return `${english}-u-hc-${format.resolvedOptions().hourCycle ?? 'h23'}`;
}

/** The first day of the week in calendars; 0 is Sunday. Monday in browsers that don't know it. */
export function firstDayOfWeek(): number {
  const region: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(language);
  return (region.getWeekInfo?.().firstDay ?? 1) % 7;
}
