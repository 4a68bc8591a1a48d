import type { Row } from './segments.js';
import { boxAround, median, type TextLine, type TextWord } from './text.js';

/** Lines that belong together, each to be written after the break before it. */
export interface Paragraph {
  readonly isItem: boolean;
  readonly lines: readonly { readonly words: readonly TextWord[]; readonly startsAnew: boolean }[];
}

/** What the lines of a region have in common. */
export interface Spacing {
  readonly height: number;
  /** Between the bottom of a line and the top of the next. */
  readonly gap: number;
  /** Where lines begin, and where full ones end. */
  readonly left: number;
  readonly right: number;
}

/** So much more than the usual gap, in heights of a line, separates paragraphs. */
const PARAGRAPH_GAP_HEIGHTS = 0.5;
/** So few gaps do not show which one is usual, unless it is small. */
const TRUSTED_GAPS = 4;
const MOST_USUAL_GAP_HEIGHTS = 0.6;
const INDENT_HEIGHTS = 1;
const BLANK_HEIGHTS = 0.4;
/** Of the width, by which lines of a paragraph may differ in length beyond the next word. */
const RAGGED_SHARE = 0.12;

/** Spacing of rows that follow each other. */
export function spacingOf(rows: readonly Row[]): Spacing {
  const height = median(rows.map(({ box }) => box.bottom - box.top));
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index], row));
  // The lower quartile, since most gaps may be those between paragraphs of a line or two.
  const quartile = gaps.sort((one, other) => one - other)[gaps.length >> 2] ?? 0;
  const gap = gaps.length < TRUSTED_GAPS ? Math.min(quartile, MOST_USUAL_GAP_HEIGHTS * height) : quartile;
  const { left, right } = boxAround(rows.map(({ box }) => box));
  return { height, gap, left, right };
}

/** Groups rows into paragraphs and items of lists. */
export function toParagraphs(rows: readonly Row[], spacing: Spacing): Paragraph[] {
  const paragraphs: { isItem: boolean; rows: Row[] }[] = [];
  for (const row of rows) {
    const current = paragraphs.at(-1);
    const isItem = startsItem(wordsOf(row));
    if (current === undefined || isItem || isApart(current, row, spacing)) paragraphs.push({ isItem, rows: [row] });
    else current.rows.push(row);
  }
  return paragraphs.map((paragraph) => ({ isItem: paragraph.isItem, lines: toLines(paragraph.rows, spacing) }));
}

function isApart({ isItem, rows }: { isItem: boolean; rows: readonly Row[] }, row: Row, spacing: Spacing): boolean {
  const { height, gap } = spacing;
  if (gapBetween(rows.at(-1), row) > gap + PARAGRAPH_GAP_HEIGHTS * height) return true;
  const indent = row.box.left - (rows.at(-1)?.box.left ?? 0);
  // The lines of an item hang under its text; the first line of a paragraph may be indented.
  if (isItem) return rows.length === 1 ? indent < height / 4 : indent < -height / 4;
  return indent > INDENT_HEIGHTS * height && rows.length > 1;
}

function toLines(rows: readonly Row[], spacing: Spacing): Paragraph['lines'] {
  return rows.map((row, index) => {
    const words = wordsOf(row);
    return { words, startsAnew: index > 0 && hasOwnLine(rows[index - 1], row, spacing) };
  });
}

/** Whether a line was ended on purpose: its successor's first word would have found room, or it is a row of cells. */
function hasOwnLine(previous: Row | undefined, row: Row, { height, left, right }: Spacing): boolean {
  const first = wordsOf(row)[0];
  if (previous === undefined || first === undefined) return false;
  if (previous.segments.length > 1 || row.segments.length > 1) return true;
  const room = right - previous.box.right - RAGGED_SHARE * (right - left);
  return first.box.right - first.box.left + BLANK_HEIGHTS * height < room;
}

function wordsOf({ segments }: Row): TextWord[] {
  return segments.flatMap(({ words }) => words);
}

function gapBetween(previous: Row | undefined, row: Row): number {
  return row.box.top - (previous?.box.bottom ?? row.box.top);
}

const BULLET = /^[•●▪▫■□◦○‣∙·*+–—-]$/u;
const NUMBER = /^\(?(\d{1,3}|[a-z])[.)]$/u;

/** Whether a line begins an item of a list: with a bullet, or with `1.` or `a)`. */
export function startsItem([first, second]: TextLine): boolean {
  return first !== undefined && second !== undefined && (isBullet(first.text) || NUMBER.test(first.text));
}

export function isBullet(text: string): boolean {
  return BULLET.test(text);
}
