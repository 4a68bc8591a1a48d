/** Digits, a fraction and an exponent, as YAML, JSON and JavaScript write numbers. */
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** What `toDecimal` returns, for OpenAPI. */
export const decimalPattern = String.raw`^(0|[1-9]\d*)(\.\d*[1-9])?$`;

/**
 * Writes a number as a decimal without an exponent and without leading or trailing zeros, such as `0.000012`. A number is
 * taken by its shortest text, so that 0.1 is a tenth.
 *
 * @returns undefined if it isn't a decimal number of 0 or more
 */
export function toDecimal(value: string | number): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = pattern.exec(String(value)) ?? [];
  const digits = whole + fraction;
  if (digits === '') return undefined;
  const point = whole.length + Number(exponent);
  const padded = digits.padEnd(point, '0').padStart(digits.length + Math.max(0, -point), '0');
  const start = Math.max(0, point);
  const decimal = join(padded.slice(0, start), padded.slice(start));
  return sign === '-' && decimal !== '0' ? undefined : decimal;
}

/** The number of digits after the point. */
export function decimalsOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

/**
 * Multiplies a decimal by a power of ten.
 *
 * @param decimals at least as many as the decimal has
 */
export function toInteger(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Divides a whole number of 0 or more by a power of ten, as a decimal without trailing zeros. */
export function fromInteger(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  return join(digits.slice(0, -decimals), digits.slice(-decimals));
}

function join(whole: string, fraction: string): string {
  const [integer, decimals] = [whole.replace(/^0+(?=\d)/, '') || '0', fraction.replace(/0+$/, '')];
  return decimals === '' ? integer : `${integer}.${decimals}`;
}
