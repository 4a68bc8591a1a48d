import { foldText } from '../../lib/fold-text.js';
import { formatOffset, offsetOf } from '../../lib/time-zone.js';

/** A time zone to choose from. */
export interface TimeZoneOption {
  /** IANA name. */
  value: string;
  /** With the current offset, such as "America/New York (UTC−05:00)". */
  label: string;
}

/**
 * The time zones that the browser knows, and the selected one.
 *
 * @param now milliseconds since 1970
 */
export function timeZoneOptions(selected: string, now: number): TimeZoneOption[] {
  // Chromium leaves out UTC.
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), selected]);
  return [...names].map((value) => ({ value, label: describeTimeZone(value, now) }));
}

/** Whether a time zone is found by a text: part of its name, with spaces or underscores, or of its offset. */
export function isFoundBy({ value, label }: TimeZoneOption, text: string): boolean {
  // Keyboards have no minus sign.
  const typed = foldText(text.trim()).replace('-', '−');
  return [foldText(label), foldText(value)].some(
    (name) => name.includes(typed) || name.includes(foldText(text.trim())),
  );
}

function describeTimeZone(name: string, now: number): string {
  const readable = name.replaceAll('_', ' ');
  try {
    return `${readable} (${formatOffset(offsetOf(name, now))})`;
  } catch {
    // The service may know names that the browser doesn't.
    return readable;
  }
}
