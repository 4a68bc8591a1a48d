import { boxAround, type TextLine, type TextWord } from '../page.js';
import { type BodyText, findHeadings, type HeadingLevel } from './headings.js';
import { gapBetween, median, type Row, toSegment, wordsOf } from './segments.js';
import { findTable, hasCells, type RegionContext, type Spacing, type Table } from './tables.js';

export type TextBlock = Heading | Paragraph | ListItem | Table;

export type Block = TextBlock | Figure;

/** A picture between blocks of text. */
export interface Figure {
  readonly kind: 'figure';
  /** Its place in the list of the page's pictures. */
  readonly index: number;
}

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
  /** Position of the bullet, and the minimum distance from it to the bullet of a nested list. */
  readonly left: number;
  readonly minIndent: number;
}

export interface ParagraphLine {
  readonly words: TextLine;
  /** Whether the line break before it is kept. */
  readonly startsNewLine: boolean;
}

/** Additional gap between paragraphs. Here and below, lengths in heights are multiples of the height of a line. */
const minParagraphGapHeights = 0.5;
/** With fewer gaps, the usual gap is uncertain and is limited to `maxUncertainGapHeights`. */
const minGapsForSpacing = 4;
const maxUncertainGapHeights = 0.6;
const minParagraphIndentHeights = 1;
const minListIndentHeights = 0.7;
const spaceWidthHeights = 0.4;
/** Difference in length between lines of a paragraph, beyond the next word, relative to the width of the region. */
const maxRaggedness = 0.12;
/** Words in a line of an address. */
const maxAddressWords = 6;

const bulletPattern = /^[•●▪▫■□◦○‣∙·*+–—-]$/u;
const numberPattern = /^\(?(\d{1,3}|[a-z]|[ivx]{1,4})[.)]$/u;
/** Numbers of clauses such as 4.2. */
const clausePattern = /^\d{1,2}(\.\d{1,2}){1,3}\.?$/;

/** Groups the rows of a region into headings, paragraphs, list items and tables. */
export function toBlocks(regionRows: readonly Row[], body: BodyText): TextBlock[] {
  const rows = regionRows.map(joinMarker);
  const spacing = spacingOf(rows);
  const headings = findHeadings(rows, body);
  const blocks: TextBlock[] = [];
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

/** Whether a word is a bullet of a list. */
export function isBullet(text: string): boolean {
  return bulletPattern.test(text);
}

/** Whether a line starts with a bullet or a number, with text after it. */
function startsListItem([first, second]: TextLine): boolean {
  return first !== undefined && second !== undefined && (isBullet(first.text) || numberPattern.test(first.text));
}

function startsClause([first, second]: TextLine): boolean {
  return first !== undefined && clausePattern.test(first.text) && /^\p{Lu}/u.test(second?.text ?? '');
}

/** A bullet or number with a wide gap after it isn't a cell. */
function joinMarker(row: Row): Row {
  const words = wordsOf(row);
  const isMarker = row.segments.length === 2 && row.segments[0]?.words.length === 1;
  if (!isMarker || !(startsListItem(words) || startsClause(words))) return row;
  return { segments: [toSegment(words)], box: row.box };
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
