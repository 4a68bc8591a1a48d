import type { TextWord } from '../page.js';

/*
 * Heights relative to the font size: averages of common fonts. The box of a word depends on its letters: "area" is as high
 * as a small letter, and "Party" has a capital letter and descenders.
 */
const tallHeight = 0.72;
const heightOfT = 0.66;
const smallHeight = 0.5;
const accentedCapitalHeight = 0.9;
const descenderDepth = 0.21;

const tallLetters = /[\p{Lu}\p{N}bdfhijklß]/u;
const accentedCapitals = /\p{Lu}\p{M}/u;
const accents = /\p{M}/u;
const descenders = /[gjpqyQ,;()[\]{}|/$@]/u;
const letters = /[\p{L}\p{N}]/u;

/** Returns the font size of words in a line, in the unit of their boxes: 0 if it can't be estimated. */
export function sizeOf(words: readonly TextWord[]): number {
  const known = words.filter(({ size }) => size !== undefined);
  if (known.length > 0) return weightedQuantile(known.map(({ size = 0, text }) => [size, text.length]));
  const legible = words.filter(({ text }) => letters.test(text));
  // The heights of small letters differ more between fonts.
  const tall = legible.filter(({ text }) => tallLetters.test(text));
  return weightedQuantile((tall.length > 0 ? tall : legible).map((word) => [estimateSize(word), word.text.length]));
}

/** Returns the height of the baseline of words in a line. */
export function baselineOf(words: readonly TextWord[], size: number): number {
  const hasDescender = ({ text }: TextWord) => descenders.test(text.normalize('NFD'));
  return weightedQuantile(
    words.map((word) => [word.box.bottom - (hasDescender(word) ? descenderDepth * size : 0), word.text.length]),
  );
}

function estimateSize({ text, box }: TextWord): number {
  const characters = text.normalize('NFD');
  let height = characters.includes('t') ? heightOfT : smallHeight;
  if (tallLetters.test(characters) || accents.test(characters)) height = tallHeight;
  if (accentedCapitals.test(characters)) height = accentedCapitalHeight;
  const depth = descenders.test(characters) ? descenderDepth : 0;
  return (box.bottom - box.top) / (height + depth);
}

/** Average widths of characters, relative to the font size. */
const characterWidths: readonly [characters: RegExp, width: number][] = [
  [/[ijlI.,:;|!'’]/u, 0.27],
  [/[frt()[\]-]/u, 0.33],
  [/[mwMW@%—]/u, 0.85],
  [/\p{Lu}/u, 0.68],
];
const otherCharacterWidth = 0.54;

/** Returns the width of words relative to that of an average font of size 1. */
export function widthOf(words: readonly TextWord[]): number {
  const [width, expected] = words.reduce(
    ([sum, expectedSum], { text, box }) => [sum + box.right - box.left, expectedSum + expectedWidth(text)],
    [0, 0],
  );
  return width / Math.max(expected, otherCharacterWidth);
}

function expectedWidth(text: string): number {
  const widths = Array.from(text, (character) => characterWidths.find(([pattern]) => pattern.test(character)));
  return widths.reduce((sum, found) => sum + (found?.[1] ?? otherCharacterWidth), 0);
}

/** Returns the value that this share of the weights doesn't exceed, or 0 for no values. */
export function weightedQuantile(values: readonly (readonly [value: number, weight: number])[], share = 0.5): number {
  const sorted = [...values].sort(([one], [other]) => one - other);
  let missing = share * sorted.reduce((sum, [, weight]) => sum + weight, 0);
  return sorted.find(([, weight]) => (missing -= weight) <= 0)?.[0] ?? 0;
}
