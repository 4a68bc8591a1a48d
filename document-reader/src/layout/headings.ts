import type { TextWord } from '../page.js';
import { type Row, type Segment, weightedQuantile } from './segments.js';

export type HeadingLevel = 1 | 2 | 3;

/** Text that is larger than this share of a page may be a heading. Fine print may be more than half of a page. */
const bodyShare = 0.7;
/** Sizes of headings relative to the body text. They don't depend on the page, so that levels agree between pages. */
const minSizes: readonly [level: HeadingLevel, size: number][] = [
  [1, 1.55],
  [2, 1.3],
  [3, 1.15],
];
/** Longer text isn't a heading. */
const maxLines = 3;
const maxCharacters = 200;
/** Prices and dates may be large, too. */
const minLetterShare = 1 / 3;
/** How much wider bold text may be than its size suggests. */
const maxWidthRatio = 1.05;
/** Relative difference between lines of the same size. */
const maxSizeDifference = 0.12;
/** Gap between the lines of a heading, relative to their size. */
const maxLineGap = 1;

/** The font of the body text of a page. */
export interface BodyText {
  readonly size: number;
  /** See {@link widthOf}. */
  readonly width: number;
}

export function findBodyText(segments: readonly Segment[]): BodyText {
  const measured = segments.flatMap(({ words, size }) => {
    const weight = words.reduce((sum, { text }) => sum + text.length, 0);
    return size > 0 ? [{ words, size, weight }] : [];
  });
  const largest = weightedQuantile(
    measured.map(({ size, weight }) => [size, weight]),
    bodyShare,
  );
  // Estimates differ from line to line.
  const body = measured.filter(({ size }) => Math.abs(size - largest) <= maxSizeDifference * largest);
  return {
    size: weightedQuantile(body.map(({ size, weight }) => [size, weight])),
    width: weightedQuantile(body.map(({ words, weight }) => [widthOf(words), weight])),
  };
}

/** Returns the headings among the rows of a region: the level by the index of each of their rows. */
export function findHeadings(rows: readonly Row[], body: BodyText): Map<number, HeadingLevel> {
  const levels = new Map<number, HeadingLevel>();
  let start = 0;
  while (start < rows.length) {
    let end = start + 1;
    const level = levelOf(rows[start], body);
    if (level !== undefined) {
      while (continuesHeading(rows[end - 1], rows[end])) end += 1;
      if (isHeading(rows.slice(start, end), level, rows[start - 1])) {
        for (let index = start; index < end; index += 1) levels.set(index, level);
      }
    }
    start = end;
  }
  return levels;
}

function levelOf(row: Row | undefined, body: BodyText): HeadingLevel | undefined {
  const [segment, ...others] = row?.segments ?? [];
  if (segment === undefined || others.length > 0) return undefined;
  const [word, ...otherWords] = segment.words;
  const height = segment.size / body.size;
  // Tesseract makes the boxes of some single words in a line too high.
  const isUncertain = word?.size === undefined && otherWords.length === 0;
  const width = widthOf(segment.words) / body.width / maxWidthRatio;
  const relative = isUncertain ? Math.min(height, width) : height;
  return minSizes.find(([, size]) => relative >= size)?.[0];
}

function continuesHeading(row: Row | undefined, next: Row | undefined): boolean {
  const [segment] = row?.segments ?? [];
  const [nextSegment, ...others] = next?.segments ?? [];
  if (segment === undefined || nextSegment === undefined || others.length > 0) return false;
  const isSameSize = Math.abs(nextSegment.size - segment.size) <= maxSizeDifference * segment.size;
  return isSameSize && nextSegment.box.top - segment.box.bottom <= maxLineGap * segment.size;
}

function isHeading(rows: readonly Row[], level: HeadingLevel, previous: Row | undefined): boolean {
  const text = rows
    .flatMap(({ segments }) => segments.flatMap(({ words }) => words.map((word) => word.text)))
    .join(' ');
  if (rows.length > maxLines || text.length > maxCharacters) return false;
  if (!/\p{L}{2}/u.test(text) || !/[\p{Lu}\p{Lo}\p{N}]/u.test(text)) return false;
  if (text.replace(/\P{L}/gu, '').length < minLetterShare * text.length) return false;
  // Quotations may be large.
  if (/[.,!?][”“"’»«]$/u.test(text)) return false;
  const isSentence = /[.,;:]$/u.test(text);
  if (level < 3) return rows.length === 1 || !isSentence;
  // A line of body text may seem to be a little larger. Headings have space above them.
  return !isSentence && (previous === undefined || isApart(previous, rows[0]));
}

function isApart(previous: Row, row: Row | undefined): boolean {
  return row !== undefined && row.box.top - previous.box.bottom > (row.segments[0]?.size ?? 0) / 2;
}

/** Average widths of characters, relative to the font size. */
const characterWidths: readonly [characters: RegExp, width: number][] = [
  [/[ijlI.,:;|!'’]/u, 0.27],
  [/[frt()[\]-]/u, 0.33],
  [/[mwMW@%—]/u, 0.85],
  [/\p{Lu}/u, 0.68],
];
const otherCharacterWidth = 0.54;

/** Returns the width of words relative to an average font of size 1. */
function widthOf(words: readonly TextWord[]): number {
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
