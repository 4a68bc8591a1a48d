import { costDecimals } from '@rules/price-rules.js';
import { lazily } from './lazily.js';
import { currencyDecimals, decimalSeparator, digitGroupSeparator } from './format-numbers.js';

/*
 * Amounts of money are decimals of the API, such as "25.5". They're calculated with in whole billionths, because numbers
 * can't hold them exactly.
 */

const separators = lazily(() => ({ group: digitGroupSeparator(), point: decimalSeparator() }));

/** Reads a decimal of at most nine decimals, such as "25.5". */
export function toBillionths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.slice(0, costDecimals).padEnd(costDecimals, '0')}`);
}

/** Returns the decimal of the API, without trailing zeros. */
export function toDecimal(billionths: bigint): string {
  const digits = String(billionths).padStart(costDecimals + 1, '0');
  const fraction = digits.slice(-costDecimals).replace(/0+$/, '');
  const whole = digits.slice(0, -costDecimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Reads an amount as it was entered, with the separators of any country, such as "1,000.50" or "1.000,5". Returns undefined
 * for texts that aren't amounts, or that can mean two.
 */
export function readAmount(text: string): string | undefined {
  const trimmed = text.trim();
  if (readMeanings(trimmed) !== undefined) return undefined;
  const [, plain, decimals = ''] = /^(\d*)(?:[.,](\d*))?$/.exec(trimmed) ?? [];
  if (plain !== undefined) return plain === '' && decimals === '' ? undefined : join(plain, decimals);
  const grouped = /^([1-9]\d{0,2}([.,'’ \u00a0\u202f])\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(trimmed);
  if (grouped === null || grouped[2] === grouped[3]) return undefined;
  return join((grouped[1] ?? '').replace(/\D/g, ''), grouped[4] ?? '');
}

/**
 * Returns what a text can mean whose only separator is before three digits: "1,500" and "1.500" can be 1500 or 1.5,
 * because countries write them differently. Both can be entered like this. Undefined for other texts.
 */
export function readMeanings(text: string): [whole: string, decimal: string] | undefined {
  const [, plain, decimals] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(text.trim()) ?? [];
  if (plain === undefined || decimals === undefined) return undefined;
  const fraction = decimals.replace(/0+$/, '').padEnd(2, '0');
  return [plain + decimals, `${plain}.${fraction.length === 3 ? `${fraction}0` : fraction}`];
}

/**
 * Formats an amount for a field, such as "1,000.50": with groups of digits, all of its decimals, at least as many as the
 * currency has, and with a single meaning.
 */
export function toAmountField(decimal: string, currency: string | undefined, { group, point } = separators()): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const padded = fraction.padEnd(currencyDecimals(currency), '0');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const text = padded === '' ? groups : `${groups}${point}${padded}`;
  if (readMeanings(text) === undefined) return text;
  return padded === '' ? whole : `${text}0`;
}

function join(whole: string, decimals: string): string {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  const fraction = decimals.replace(/0+$/, '');
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/**
 * Reads a whole number with separated groups of digits, such as "1.000" or "1 000 000", which are written differently in
 * each country. Returns undefined for other texts, such as "1000" or "1.5".
 */
export function readGroupedNumber(text: string): number | undefined {
  const isGrouped = /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(\1\d{3}){0,4}$/.test(text.trim());
  return isGrouped ? Number(text.replace(/\D/g, '')) : undefined;
}
