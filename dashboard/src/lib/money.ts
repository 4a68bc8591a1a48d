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
 * Reads an amount as it was entered, with the separators of any country, such as "1,000.50" or "1.000,5". A text that can
 * mean two amounts, such as "1,500", is read as in the user's region. Returns undefined for texts that aren't amounts.
 */
export function readAmount(text: string, { group } = separators()): string | undefined {
  const trimmed = text.trim();
  const [, plain, separator, decimals = ''] = /^(\d*)(?:([.,])(\d*))?$/.exec(trimmed) ?? [];
  if (plain !== undefined) {
    if (plain === '' && decimals === '') return undefined;
    const isGroup = separator === group && /^[1-9]\d{0,2}$/.test(plain) && decimals.length === 3;
    return isGroup ? plain + decimals : join(plain, decimals);
  }
  const grouped = /^([1-9]\d{0,2}([.,'’ \u00a0\u202f])\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(trimmed);
  if (grouped === null || grouped[2] === grouped[3]) return undefined;
  return join((grouped[1] ?? '').replace(/\D/g, ''), grouped[4] ?? '');
}

/**
 * Formats an amount for a field, such as "1,000.50": with groups of digits, all of its decimals, and at least as many as
 * the currency has.
 */
export function toAmountField(decimal: string, currency: string | undefined, { group, point } = separators()): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const padded = fraction.padEnd(currencyDecimals(currency), '0');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return padded === '' ? groups : `${groups}${point}${padded}`;
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
