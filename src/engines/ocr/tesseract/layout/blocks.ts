import { boxAround, type TextLine, type TextWord } from '../page.js';
import { type BodyText, findHeadings, type HeadingLevel } from './headings.js';
import { startsClause, startsListItem } from './lists.js';
import { gapBetween, median, type Row, toSegment, wordsOf } from './segments.js';
import { type Table, toTable } from './tables.js';

export type Block = Heading | Paragraph | ListItem | Table;

export interface Heading {
  readonly kind: 'heading';
  readonly level: HeadingLevel;
  readonly lines: readonly ParagraphLine[];
}

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly lines: readonly ParagraphLine[];
}

export interface ListItem {
  readonly kind: 'list-item';
  readonly lines: readonly ParagraphLine[];
  /** The position of the bullet, and how far that of a nested list must be from it. */
  readonly left: number;
  readonly minIndent: number;
}

export interface ParagraphLine {
  readonly words: TextLine;
  /** Whether the line break before it is kept. */
  readonly startsNewLine: boolean;
}

/** Dimensions that the lines of a region have in common. */
interface Spacing {
  readonly height: number;
  /** Distance between the bottom of a line and the top of the next one. */
  readonly gap: number;
  /** The same between rows of cells. */
  readonly cellGap: number;
  readonly left: number;
  readonly right: number;
}

/** Additional gap between paragraphs. Here and below, lengths in heights are multiples of the height of a line. */
const minParagraphGapHeights = 0.5;
/** With fewer gaps, the usual one is uncertain, and limited by the next constant. */
const minGapsForSpacing = 4;
const maxUncertainGapHeights = 0.6;
const minParagraphIndentHeights = 1;
const minListIndentHeights = 0.7;
const spaceWidthHeights = 0.4;
/** Difference in length between lines of a paragraph, beyond the next word, relative to the width of the region. */
const maxRaggedness = 0.12;
/** Words in a line of an address. */
const maxAddressWords = 6;
/** Wider gaps in a line that fills the region separate cells. */
const maxJustifiedGapHeights = 3;
/** Gap within a table. Wider ones separate tables. */
const minTableGapHeights = 1.5;
/** Lines of one cell. */
const maxSingleRows = 3;

/** Groups the rows of a region into headings, paragraphs, list items and tables. */
export function toBlocks(regionRows: readonly Row[], body: BodyText): Block[] {
  const rows = regionRows.map(joinMarker);
  const spacing = spacingOf(rows);
  const headings = findHeadings(rows, body);
  const blocks: Block[] = [];
  let textStart = 0;
  const addTextUntil = (end: number) => {
    for (const block of toTextBlocks(rows.slice(textStart, end), { spacing, headings, offset: textStart }))
      blocks.push(block);
  };
  let start = 0;
  while (start < rows.length) {
    const found = findTable(rows, start, { spacing, headings });
    if (found.table !== undefined) {
      addTextUntil(start);
      blocks.push(found.table);
      textStart = found.end;
    }
    start = found.end;
  }
  addTextUntil(rows.length);
  return blocks;
}

/** A bullet or number with a wide gap after it isn't a cell. */
function joinMarker(row: Row): Row {
  const words = wordsOf(row);
  const isMarker = row.segments.length === 2 && row.segments[0]?.words.length === 1;
  if (!isMarker || !(startsListItem(words) || startsClause(words))) return row;
  return { segments: [toSegment(words)], box: row.box };
}

interface RegionContext {
  readonly spacing: Spacing;
  readonly headings: ReadonlyMap<number, HeadingLevel>;
}

/** Returns the table that starts with a row, if there is one, and the end of the rows that were considered. */
function findTable(
  rows: readonly Row[],
  start: number,
  region: RegionContext,
): { table: Table | undefined; end: number } {
  const end = findTableEnd(rows, start, maxSingleRows, region);
  const table = toTable(rows.slice(start, end));
  if (table !== undefined || end === start + 1) return { table, end };
  const strictEnd = findTableEnd(rows, start, 0, region);
  return { table: toTable(rows.slice(start, strictEnd)), end: strictEnd };
}

/**
 * Returns the end of the rows that may be a table: rows of cells, with a few rows between them that may be further lines of a
 * cell.
 */
function findTableEnd(
  rows: readonly Row[],
  start: number,
  maxSingles: number,
  { spacing, headings }: RegionContext,
): number {
  let end = start + 1;
  if (!hasCells(rows[start], spacing)) return end;
  for (let index = end; index < rows.length && index - end <= maxSingles; index += 1) {
    if (headings.has(index) || separatesTables(rows, index, spacing)) break;
    if (hasCells(rows[index], spacing)) end = index + 1;
  }
  return end;
}

function separatesTables(rows: readonly Row[], index: number, { height, cellGap }: Spacing): boolean {
  return gapBetween(rows[index - 1], rows[index]) > Math.max(minTableGapHeights * height, 2 * cellGap);
}

/** Whether a row has several segments that aren't the words of a justified line. */
function hasCells(row: Row | undefined, { left, right, height }: Spacing): boolean {
  if (row === undefined || row.segments.length < 2) return false;
  const isFullLine = row.box.left - left < height / 2 && right - row.box.right < height / 2;
  if (!isFullLine) return true;
  return row.segments.some(({ box }, index) => {
    const previous = row.segments[index - 1];
    return previous !== undefined && box.left - previous.box.right > maxJustifiedGapHeights * height;
  });
}

function spacingOf(rows: readonly Row[]): Spacing {
  const height = median(rows.map(({ box }) => box.bottom - box.top));
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index], row));
  // The lower quartile, because most gaps may separate paragraphs of a line or two.
  const quartile = gaps.sort((left, right) => left - right)[gaps.length >> 2] ?? 0;
  const gap = gaps.length < minGapsForSpacing ? Math.min(quartile, maxUncertainGapHeights * height) : quartile;
  const isCellRow = (row: Row | undefined) => (row?.segments.length ?? 0) > 1;
  const cellGaps = rows.flatMap((row, index) =>
    isCellRow(row) && isCellRow(rows[index - 1]) ? [gapBetween(rows[index - 1], row)] : [],
  );
  const { left, right } = boxAround(rows.map(({ box }) => box));
  return { height, gap, cellGap: median(cellGaps), left, right };
}

type TextKind = 'heading' | 'paragraph' | 'list-item';

interface Group {
  readonly kind: TextKind;
  readonly level: HeadingLevel | undefined;
  readonly rows: Row[];
}

function toTextBlocks(
  rows: readonly Row[],
  { spacing, headings, offset }: RegionContext & { offset: number },
): (Heading | Paragraph | ListItem)[] {
  const groups: Group[] = [];
  rows.forEach((row, index) => {
    const level = headings.get(offset + index);
    const current = groups.at(-1);
    if (current !== undefined && continuesGroup(row, level, current, spacing)) return current.rows.push(row);
    const textKind = startsListItem(wordsOf(row)) ? 'list-item' : 'paragraph';
    return groups.push({ kind: level === undefined ? textKind : 'heading', level, rows: [row] });
  });
  return groups.map((group) => toBlock(group, spacing));
}

function toBlock({ kind, level, rows }: Group, spacing: Spacing): Heading | Paragraph | ListItem {
  if (level !== undefined)
    return { kind: 'heading', level, lines: rows.map((row) => ({ words: wordsOf(row), startsNewLine: false })) };
  if (kind !== 'list-item') return { kind: 'paragraph', lines: toLines(rows, spacing) };
  return {
    kind,
    lines: toLines(rows, spacing),
    left: rows[0]?.box.left ?? 0,
    minIndent: minListIndentHeights * spacing.height,
  };
}

function continuesGroup(row: Row, level: HeadingLevel | undefined, current: Group, spacing: Spacing): boolean {
  if (level !== current.level) return false;
  const { height, gap } = spacing;
  const { kind, rows } = current;
  const rowGap = gapBetween(rows.at(-1), row);
  if (level !== undefined) return rowGap <= row.box.bottom - row.box.top;
  if (startsListItem(wordsOf(row)) || startsClause(wordsOf(row))) return false;
  if (rowGap > gap + minParagraphGapHeights * height) return false;
  const indent = row.box.left - (rows.at(-1)?.box.left ?? 0);
  // In a list item, lines after the first are indented. In a paragraph, an indented line starts the next one.
  if (kind === 'list-item') return rows.length === 1 ? indent >= height / 4 : indent >= -height / 4;
  return indent <= minParagraphIndentHeights * height || rows.length === 1;
}

function toLines(rows: readonly Row[], spacing: Spacing): ParagraphLine[] {
  const isAddress = looksLikeAddress(rows);
  return rows.map((row, index) => {
    const startsNewLine = index > 0 && (isAddress || isBreakIntended(rows[index - 1], row, spacing));
    return { words: wordsOf(row), startsNewLine };
  });
}

/** Whether the lines are too short to be sentences, and each starts like one. Addresses may be the only text of a column. */
function looksLikeAddress(rows: readonly Row[]): boolean {
  return rows.every((row) => {
    const words = wordsOf(row);
    return words.length <= maxAddressWords && /^[^\p{L}\p{N}]*[\p{Lu}\p{N}]/u.test(words[0]?.text ?? '');
  });
}

/** Whether the first word would have fit in the previous line, or one of the lines consists of cells. */
function isBreakIntended(previous: Row | undefined, row: Row, spacing: Spacing): boolean {
  const firstWord: TextWord | undefined = wordsOf(row)[0];
  if (previous === undefined || firstWord === undefined) return false;
  if (hasCells(previous, spacing) || hasCells(row, spacing)) return true;
  const { height, left, right } = spacing;
  const freeWidth = right - previous.box.right - maxRaggedness * (right - left);
  return firstWord.box.right - firstWord.box.left + spaceWidthHeights * height < freeWidth;
}
