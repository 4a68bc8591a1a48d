import { type Box, boxAround, type TextLine, type TextWord } from '../page.js';

/** Words of a line without a wide gap between them: a line of a column, or a cell of a table. */
export interface Segment {
  readonly words: TextLine;
  readonly box: Box;
  /** Font size in the unit of the box: 0 if it can't be estimated. */
  readonly size: number;
  readonly baseline: number;
}

/** Segments at the same height, from left to right. Never empty. */
export interface Row {
  readonly segments: readonly Segment[];
  readonly box: Box;
}

/** Wider gaps separate segments. Gaps in justified text may be as wide as the line is high. */
const maxSegmentGapHeights = 1.2;
/** Shorter lines are too imprecise to measure the skew of a page. */
const minLineLengthForSkewHeights = 8;
/** Vertical overlap of two segments in a row, relative to the lower one. */
const minRowOverlap = 0.5;

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

/**
 * Rotates a page upright, removes the skew of a scan, and splits lines at wide gaps.
 *
 * @returns segments, bounds and pictures of the upright page
 */
export function toSegments(
  lines: readonly TextLine[],
  bounds: Box,
  pictures: readonly Box[] = [],
): { segments: Segment[]; bounds: Box; pictures: Box[] } {
  const rotate = rotations[directionOfPage(lines)];
  const upright = lines.map((line) => line.map((word) => ({ ...word, box: rotate(word.box) })));
  const slope = slopeOf(upright);
  const straighten = (word: TextWord) => ({ ...word, box: removeSkew(word.box, slope) });
  return {
    segments: upright.map((line) => line.map(straighten)).flatMap(splitAtGaps),
    bounds: rotate(bounds),
    pictures: pictures.map((box) => removeSkew(rotate(box), slope)),
  };
}

export function toSegment(words: TextLine): Segment {
  const size = sizeOf(words);
  return { words, box: boxAround(words.map(({ box }) => box)), size, baseline: baselineOf(words, size) };
}

/** Distance between the bottom of a row and the top of the next one. */
export function gapBetween(previous: Row | undefined, row: Row | undefined): number {
  return previous === undefined || row === undefined ? 0 : row.box.top - previous.box.bottom;
}

/** Distance between the baselines of two rows. */
export function pitchBetween(previous: Row, row: Row): number {
  const baselineOfRow = ({ segments }: Row) => median(segments.map(({ baseline }) => baseline));
  return baselineOfRow(row) - baselineOfRow(previous);
}

export function wordsOf({ segments }: Row): TextWord[] {
  return segments.flatMap(({ words }) => words);
}

/** Groups segments into rows, from top to bottom. */
export function toRows(segments: readonly Segment[]): Row[] {
  const middle = ({ box }: Segment) => (box.top + box.bottom) / 2;
  const rows: { segments: Segment[]; box: Box }[] = [];
  for (const segment of [...segments].sort((left, right) => middle(left) - middle(right))) {
    const row = rows.at(-1);
    if (row !== undefined && isInRow(row, segment)) {
      row.segments.push(segment);
      row.box = boxAround([row.box, segment.box]);
    } else rows.push({ segments: [segment], box: segment.box });
  }
  for (const row of rows) row.segments.sort((left, right) => left.box.left - right.box.left);
  return rows;
}

/** Returns the middle value, or 0 for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}

/** Returns the value that this share of the weights doesn't exceed, or 0 for no values. */
export function weightedQuantile(values: readonly (readonly [value: number, weight: number])[], share = 0.5): number {
  const sorted = [...values].sort(([one], [other]) => one - other);
  let missing = share * sorted.reduce((sum, [, weight]) => sum + weight, 0);
  return sorted.find(([, weight]) => (missing -= weight) <= 0)?.[0] ?? 0;
}

type Direction = 'right' | 'down' | 'up';

/** Rotates a box so that lines of this direction run to the right. */
const rotations: Record<Direction, (box: Box) => Box> = {
  right: (box) => box,
  down: ({ left, top, right, bottom }) => ({ left: top, top: -right, right: bottom, bottom: -left }),
  up: ({ left, top, right, bottom }) => ({ left: -bottom, top: left, right: -top, bottom: right }),
};

/** Returns where most lines run. Lines that run to the left are of right-to-left scripts. */
function directionOfPage(lines: readonly TextLine[]): Direction {
  const directions = lines.filter((line) => line.length > 1).map(directionOf);
  const majority = (['down', 'up'] as const).find(
    (direction) => directions.filter((other) => other === direction).length > directions.length / 2,
  );
  return majority ?? 'right';
}

function directionOf(line: TextLine): Direction {
  const [first, last] = [line[0]?.box, line.at(-1)?.box];
  if (first === undefined || last === undefined) return 'right';
  const fall = last.top - first.top;
  if (Math.abs(fall) <= Math.abs(last.left - first.left)) return 'right';
  return fall > 0 ? 'down' : 'up';
}

/** Returns how much the lines fall per unit of length. */
function slopeOf(lines: readonly TextLine[]): number {
  const slopes = lines.flatMap((line) => {
    const [first, last] = [line[0]?.box, line.at(-1)?.box];
    if (first === undefined || last === undefined) return [];
    const length = last.left - first.left;
    if (length < minLineLengthForSkewHeights * (first.bottom - first.top)) return [];
    // Ascenders and descenders move the top or the bottom of a word, but rarely both.
    const [top, bottom] = [last.top - first.top, last.bottom - first.bottom];
    return [(Math.abs(top) < Math.abs(bottom) ? top : bottom) / length];
  });
  return median(slopes);
}

function removeSkew({ left, top, right, bottom }: Box, slope: number): Box {
  const shift = (slope * (left + right)) / 2;
  return { left, top: top - shift, right, bottom: bottom - shift };
}

function splitAtGaps(line: TextLine): Segment[] {
  const height = median(line.map(({ box }) => box.bottom - box.top));
  const segments: TextWord[][] = [];
  let right = -Infinity;
  for (const word of line) {
    if (word.box.left - right > maxSegmentGapHeights * height || segments.length === 0) segments.push([]);
    segments.at(-1)?.push(word);
    right = Math.max(right, word.box.right);
  }
  return segments.map(toSegment);
}

function isInRow(row: Row, { box }: Segment): boolean {
  const overlap = Math.min(row.box.bottom, box.bottom) - Math.max(row.box.top, box.top);
  const minHeight = Math.min(row.box.bottom - row.box.top, box.bottom - box.top);
  return overlap >= minRowOverlap * minHeight;
}

/** Returns the font size of words in a line, in the unit of their boxes: 0 if it can't be estimated. */
function sizeOf(words: readonly TextWord[]): number {
  const known = words.filter(({ size }) => size !== undefined);
  if (known.length > 0) return weightedQuantile(known.map(({ size = 0, text }) => [size, text.length]));
  const legible = words.filter(({ text }) => letters.test(text));
  // The heights of small letters differ more between fonts.
  const tall = legible.filter(({ text }) => tallLetters.test(text));
  return weightedQuantile((tall.length > 0 ? tall : legible).map((word) => [estimateSize(word), word.text.length]));
}

/** Returns the height of the baseline of words in a line. */
function baselineOf(words: readonly TextWord[], size: number): number {
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
