import { lazily } from './lazily.js';
import { costDecimals } from '@rules/price-rules.js';
import { locale } from './locale.js';

const count = lazily(() => new Intl.NumberFormat(locale));
// British English shortens a million to m, which is short for milli.
const compact = lazily(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const threeDigits = lazily(() => new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }));
const precise = lazily(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const twoDigits = lazily(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }));
const oneDecimal = lazily(() => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

/** Less would look like nothing. */
const leastPercent = 0.1;

/** The character between groups of digits, such as a comma. */
export const digitGroupSeparator = () => partOf(count().formatToParts(1_000_000), 'group') ?? '';

/** The character before decimals. */
export const decimalSeparator = () => partOf(oneDecimal().formatToParts(1.5), 'decimal') ?? '.';

function partOf(parts: Intl.NumberFormatPart[], wanted: Intl.NumberFormatPartTypes): string | undefined {
  return parts.find(({ type }) => type === wanted)?.value;
}

/** Formats a count, such as "1,234". */
export function formatCount(value: number): string {
  return count().format(value);
}

/** Formats a count and its noun, such as "1 request" or "1,234 requests". */
export function pluralize(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Formats a number for small spaces, such as "12.3k". */
export function formatCompact(value: number): string {
  return compact().format(value).replace('K', 'k');
}

/** Formats a count for the axis of a chart, such as "1.65k". Steps have up to three digits, so they are exact. */
export function formatCountOnAxis(value: number): string {
  return threeDigits().format(value).replace('K', 'k');
}

/** Small amounts need more decimals than their currency has, and tiny ones the service's precision. */
const maxCostDecimals = 6;
const tinyBelow = 0.0001;
const maxPriceDecimals = 15;
const wholeFrom = 100_000;
const compactFrom = 10_000_000;

/**
 * Formats an amount of money, such as "$1,234.50". Less than the smallest coin has more decimals: as many as two digits need.
 * Amounts that someone entered, such as limits and prices, are formatted exactly instead.
 *
 * @param currency undefined while it isn't known
 */
export function formatCost(amount: number, currency: string | undefined): string {
  if (amount >= smallestCoin(currency)) return moneyFormat(currency).format(amount);
  const rounded = Number(amount.toPrecision(2));
  return moneyFormat(currency, { maximumFractionDigits: decimalsFor(rounded, currency) }).format(rounded);
}

/** Formats a decimal of the API, such as "$25.00", with all of its decimals. */
export function formatExactCost(decimal: string, currency: string | undefined): string {
  // Browsers that can't format texts exactly read them as numbers.
  return moneyFormat(currency, { maximumFractionDigits: costDecimals }).format(decimal as `${number}`);
}

/**
 * Returns a function that formats the amounts of a column with the same number of decimals: those of the currency or, if all
 * are less than its smallest coin, as many as the largest needs for two digits. Amounts that would look like zero are shown as
 * "<$0.01".
 *
 * @param amounts all of the column, also its total
 */
export function costFormatter(amounts: readonly number[], currency: string | undefined): (amount: number) => string {
  const decimals = columnDecimals(amounts, currency);
  const format = moneyFormat(currency, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const smallest = 10 ** -decimals;
  return (amount) => (amount > 0 && amount < smallest / 2 ? `<${format.format(smallest)}` : format.format(amount));
}

/** Whether the amounts of a column are shown with fewer decimals than they have, so that rounded ones may not add up. */
export function hasRoundedCosts(amounts: readonly number[], currency: string | undefined): boolean {
  const units = 10 ** columnDecimals(amounts, currency);
  // Numbers aren't exact.
  return amounts.some((amount) => Math.abs(amount * units - Math.round(amount * units)) > 1e-6);
}

function columnDecimals(amounts: readonly number[], currency: string | undefined): number {
  const largest = Math.max(0, ...amounts);
  if (largest === 0 || largest >= smallestCoin(currency)) return currencyDecimals(currency);
  const needed = Math.max(...amounts.map((amount) => decimalsFor(amount, currency)));
  return Math.min(needed, 1 - Math.floor(Math.log10(largest)));
}

/** Formats a prominent amount: like others, from 100,000 without decimals, and from ten million shortened. */
export function formatCostFigure(amount: number, currency: string): string {
  if (amount < wholeFrom) return formatCost(amount, currency);
  if (amount < compactFrom) return moneyFormat(currency, { maximumFractionDigits: 0 }).format(amount);
  return formatCompactCost(amount, currency, { maximumFractionDigits: 1 });
}

/** The least that a currency has a coin for, such as 0.01. */
function smallestCoin(currency: string | undefined): number {
  return 10 ** -currencyDecimals(currency);
}

/**
 * Formats an amount for the axis of a chart, such as "$0.50" or "$1.25k". Steps are exact: rounded ones could look alike.
 *
 * @param all of the axis, which have the same number of decimals
 */
export function formatCostOnAxis(amount: number, all: readonly number[], currency: string): string {
  if (Math.max(...all) < 1000) {
    const decimals = all.every(Number.isInteger) ? 0 : Math.max(...all.map((one) => decimalsFor(one % 1, currency)));
    return moneyFormat(currency, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(amount);
  }
  return formatCompactCost(amount, currency, { maximumSignificantDigits: 3 }).replace(/K$/, 'k');
}

/** With the same abbreviations in all regions, but the region's symbol of the currency, as other amounts have it. */
function formatCompactCost(amount: number, currency: string, options: Intl.NumberFormatOptions): string {
  const symbol = moneyFormat(currency)
    .formatToParts(0)
    .find(({ type }) => type === 'currency');
  return new Intl.NumberFormat('en', { style: 'currency', currency, notation: 'compact', ...options })
    .formatToParts(amount)
    .map((part) => (part.type === 'currency' ? (symbol ?? part).value : part.value))
    .join('');
}

/** Formats a price, such as "$0.125", with all of its decimals. */
export function formatPrice(amount: number, currency: string): string {
  return moneyFormat(currency, { maximumFractionDigits: maxPriceDecimals }).format(amount);
}

/** How many decimals amounts in the currency usually have. */
export function currencyDecimals(currency: string | undefined): number {
  return moneyFormat(currency).resolvedOptions().minimumFractionDigits ?? 0;
}

/** The decimals of the currency, or for less than one unit as many as the amount has. */
function decimalsFor(amount: number, currency: string | undefined): number {
  const minimumFractionDigits = currencyDecimals(currency);
  if (amount <= 0 || amount >= 1) return minimumFractionDigits;
  const [, decimals = ''] = amount.toFixed(amount < tinyBelow ? costDecimals : maxCostDecimals).split('.');
  return Math.max(minimumFractionDigits, decimals.replace(/0+$/, '').length);
}

const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Returns the format for a currency and numbers of decimals. Kept, because a table has many amounts. */
function moneyFormat(currency: string | undefined, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const style = currency === undefined ? { minimumFractionDigits: 2 } : ({ style: 'currency', currency } as const);
  const key = JSON.stringify({ ...style, ...options });
  const format = moneyFormats.get(key) ?? new Intl.NumberFormat(locale, { ...style, ...options });
  moneyFormats.set(key, format);
  return format;
}

/** Formats milliseconds, such as "12.3 ms", with a non-breaking space. Values from 100 ms have no decimals. */
export function formatMilliseconds(value: number): string {
  return `${value < 100 ? precise().format(value) : count().format(Math.round(value))}\u00a0ms`;
}

/** Formats an estimated latency with two significant digits, such as "12 ms" or "1,700 ms". */
export function formatLatency(milliseconds: number): string {
  return `${twoDigits().format(milliseconds)}\u00a0ms`;
}

/** Formats a duration, such as "84 ms" or "1.2 s". */
export function formatDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  return whole < 1000 ? `${whole} ms` : `${oneDecimal().format(whole / 1000)} s`;
}

/** Formats a prominent number: exact below ten million, then shortened. */
export function formatFigure(value: number): string {
  return value < 10_000_000 ? formatCount(value) : formatCompact(value);
}

/** Formats a value, or a dash if there is none. */
export function formatOptional(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

/** Formats how many times as large something is, such as "4.2 times" or "12 times". */
export function formatFactor(factor: number): string {
  return `${factor < 10 ? precise().format(factor) : formatCount(Math.round(factor))} times`;
}

/** Formats a percentage that someone entered, such as "80%", with only the decimals that it has. */
export function formatPercent(percent: number): string {
  return `${precise().format(percent)}%`;
}

/** Formats a change as a percentage, such as "+12.5%" or "−3.0%", with one decimal. Changes from 0 have none. */
export function formatPercentChange(current: number, previous: number): string {
  if (current === previous) return percentOf(0);
  const percent = Math.abs(current / previous - 1) * 100;
  // Signs and "<" can't be read together.
  if (percent < leastPercent) return `<0.1% ${current > previous ? 'more' : 'less'}`;
  return `${current > previous ? '+' : '−'}${percentOf(percent)}`;
}

/**
 * Formats a share as a percentage, such as "0.3%". All have one decimal, so that columns line up. Never rounds down to 0% or
 * up to 100%.
 */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return percentOf(0);
  const percent = (part / whole) * 100;
  if (percent < leastPercent) return '<0.1%';
  if (percent > 99.9 && part < whole) return '>99.9%';
  return percentOf(percent);
}

const percentOf = (percent: number) => `${oneDecimal().format(percent)}%`;
