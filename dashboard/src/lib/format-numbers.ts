const count = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const precise = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Such as "1,234". */
export function formatCount(value: number): string {
  return count.format(value);
}

/** Such as "1 request" or "1,234 requests". */
export function countOf(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Such as "12.3k", for where there is little room. */
export function formatCompact(value: number): string {
  return compact.format(value).replace('K', 'k');
}

/** Such as "12.3 ms", never broken over two lines; without a fraction from 100 ms on. */
export function formatMilliseconds(value: number): string {
  return `${value < 100 ? precise.format(value) : count.format(Math.round(value))}\u00a0ms`;
}

/** Exact as far as it is read at a glance, and shortened from ten million on. */
export function formatGlance(value: number): string {
  return value < 10_000_000 ? formatCount(value) : formatCompact(value);
}

/** A value that may be missing, which is shown as a dash. */
export function formatOptional(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

/** A part in percent, such as "0.3%"; small parts never read as none, nor nearly all as all. */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return '<0.1%';
  if (percent > 99.9 && part < whole) return '>99.9%';
  return `${precise.format(percent)}%`;
}
