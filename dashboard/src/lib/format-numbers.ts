const count = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const precise = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a count, such as "1,234". */
export function formatCount(value: number): string {
  return count.format(value);
}

/** Formats a count and its noun, such as "1 request" or "1,234 requests". */
export function pluralize(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Formats a number for small spaces, such as "12.3k". */
export function formatCompact(value: number): string {
  return compact.format(value).replace('K', 'k');
}

/** Formats an amount of money, such as "$1,234.50". Small amounts have more decimals. */
export function formatCost(amount: number, currency: string): string {
  const maximumFractionDigits = amount > 0 && amount < 1 ? 6 : 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits }).format(amount);
}

/** Formats milliseconds, such as "12.3 ms", with a non-breaking space. Values from 100 ms have no decimals. */
export function formatMilliseconds(value: number): string {
  return `${value < 100 ? precise.format(value) : count.format(Math.round(value))}\u00a0ms`;
}

/** Formats a duration, such as "84 ms" or "1.2 s". */
export function formatDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  return whole < 1000 ? `${whole} ms` : `${(whole / 1000).toFixed(1)} s`;
}

/** Formats a prominent number: exact below ten million, then shortened. */
export function formatFigure(value: number): string {
  return value < 10_000_000 ? formatCount(value) : formatCompact(value);
}

/** Formats a value, or a dash if there is none. */
export function formatOptional(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

/** Formats a percentage, such as "0.3%". Never rounds down to 0% or up to 100%. */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return '<0.1%';
  if (percent > 99.9 && part < whole) return '>99.9%';
  return `${precise.format(percent)}%`;
}
