/*
 * The grammar of JSON numbers as tables: from a state and a byte to the next state. A long array of numbers costs
 * one look-up a byte.
 */

/** What a byte that does not go on leads to. */
export const numberEnds = 0;
/** Before the first byte of a number. */
export const numberStart = 1;
/** Behind a comma in a list of numbers. */
export const listGoesOn = 2;

const minus = 3;
const zero = 4;
const point = 5;
const exponentMark = 6;
const exponentSign = 7;
const integer = 8;
const fraction = 9;
const exponent = 10;
/** From this state on, any number of digits leads nowhere else. */
export const firstDigitsState = integer;
const completeStates = [zero, integer, fraction, exponent];

const digits = '0123456789';

/** One number; the state after a byte is at `state * 256 + byte`. */
export const numberTable = new Uint8Array(11 * 256);
for (const from of [numberStart, listGoesOn, minus]) {
  lead(numberTable, from, digits, integer);
  lead(numberTable, from, '0', zero);
}
for (const from of [numberStart, listGoesOn]) lead(numberTable, from, '-', minus);
lead(numberTable, integer, digits, integer);
for (const from of [zero, integer]) lead(numberTable, from, '.', point);
for (const from of [point, fraction]) lead(numberTable, from, digits, fraction);
for (const from of [zero, integer, fraction]) lead(numberTable, from, 'eE', exponentMark);
lead(numberTable, exponentMark, '+-', exponentSign);
for (const from of [exponentMark, exponentSign, exponent]) lead(numberTable, from, digits, exponent);

/** The same for numbers in an array, commas between them included. */
export const numberListTable = Uint8Array.from(numberTable);
for (const from of completeStates) lead(numberListTable, from, ',', listGoesOn);
lead(numberListTable, listGoesOn, ' \t\r\n', listGoesOn);

/** Whether a number may end in this state. */
export function isCompleteNumber(state: number): boolean {
  return completeStates.includes(state);
}

function lead(table: Uint8Array, from: number, characters: string, to: number): void {
  for (const character of characters) table[from * 256 + character.charCodeAt(0)] = to;
}
