/*
 * The grammar of a JSON number as a table: from a state and a byte to the next state, so that a long array of
 * numbers costs one look-up a byte.
 */

/** Before the first byte of a number. */
export const numberStart = 1;

/** What a byte that does not continue the number leads to. */
export const numberEnds = 0;

const minus = 2;
const zero = 3;
const integer = 4;
const point = 5;
const fraction = 6;
const exponentMark = 7;
const exponentSign = 8;
const exponent = 9;

const table = new Uint8Array(10 * 256);

const nonZeroDigits = '123456789';
const digits = `0${nonZeroDigits}`;

function lead(from: number, characters: string, to: number): void {
  for (const character of characters) table[from * 256 + character.charCodeAt(0)] = to;
}

lead(numberStart, '-', minus);
for (const from of [numberStart, minus]) {
  lead(from, '0', zero);
  lead(from, nonZeroDigits, integer);
}
lead(integer, digits, integer);
for (const from of [zero, integer]) lead(from, '.', point);
for (const from of [point, fraction]) lead(from, digits, fraction);
for (const from of [zero, integer, fraction]) lead(from, 'eE', exponentMark);
lead(exponentMark, '+-', exponentSign);
for (const from of [exponentMark, exponentSign, exponent]) lead(from, digits, exponent);

/** The state after one more byte; `numberEnds` when the byte is not part of the number. */
export function nextNumberState(state: number, byte: number): number {
  return table[state * 256 + byte] ?? numberEnds;
}

/** Whether a number may end in this state. */
export function isCompleteNumber(state: number): boolean {
  return state === zero || state === integer || state === fraction || state === exponent;
}
