import { maxTableColumns } from '../limits.js';
import { boxAround, type TextLine, type TextWord } from '../page.js';
import { median, type Row, type Segment } from './segments.js';

export interface Paragraph {
  readonly kind: 'paragraph' | 'list-item';
  readonly lines: readonly ParagraphLine[];
}

export interface ParagraphLine {
  readonly words: readonly TextWord[];
  /** Whether the line break before it is kept. */
  readonly startsNewLine: boolean;
}

export interface Table {
  readonly kind: 'table';
  /** Cells by row and column, undefined where a row has no cell. */
  readonly rows: readonly (readonly (Segment | undefined)[])[];
}

export type Block = Paragraph | Table;

/** Dimensions that the lines of a region have in common. */
interface Spacing {
  readonly height: number;
  /** Distance between the bottom of a line and the top of the next one. */
  readonly gap: number;
  readonly left: number;
  readonly right: number;
}

/** Additional gap between paragraphs. Here and below, lengths in heights are multiples of the height of a line. */
const minParagraphGapHeights = 0.5;
/** With fewer gaps, the usual one is uncertain, and limited by the next constant. */
const minGapsForSpacing = 4;
const maxUncertainGapHeights = 0.6;
const minParagraphIndentHeights = 1;
const spaceWidthHeights = 0.4;
/** Difference in length between lines of a paragraph, beyond the next word, relative to the width of the region. */
const maxRaggedness = 0.12;
/** Fewer rows may be aligned by chance. */
const minTableRows = 3;
/** Limits empty cells. Rows that share no column would become a table of almost nothing else. */
const maxCellsPerText = 8;

/** Groups the rows of a region into paragraphs, list items and tables. */
export function toBlocks(rows: readonly Row[]): Block[] {
  const spacing = spacingOf(rows);
  const blocks: Block[] = [];
  let textRows: Row[] = [];
  const addParagraphs = () => {
    for (const paragraph of toParagraphs(textRows, spacing)) blocks.push(paragraph);
    textRows = [];
  };
  for (let start = 0, end = 0; start < rows.length; start = end) {
    while ((rows[end]?.segments.length ?? 0) > 1) end += 1;
    if (end === start) end += 1;
    const candidates = rows.slice(start, end);
    const table = toTable(candidates);
    if (table === undefined) for (const row of candidates) textRows.push(row);
    else {
      addParagraphs();
      blocks.push(table);
    }
  }
  addParagraphs();
  return blocks;
}

function spacingOf(rows: readonly Row[]): Spacing {
  const height = median(rows.map(({ box }) => box.bottom - box.top));
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index], row));
  // The lower quartile, because most gaps may separate paragraphs of a line or two.
  const quartile = gaps.sort((left, right) => left - right)[gaps.length >> 2] ?? 0;
  const gap = gaps.length < minGapsForSpacing ? Math.min(quartile, maxUncertainGapHeights * height) : quartile;
  const { left, right } = boxAround(rows.map(({ box }) => box));
  return { height, gap, left, right };
}

function toParagraphs(rows: readonly Row[], spacing: Spacing): Paragraph[] {
  const groups: { kind: Paragraph['kind']; rows: Row[] }[] = [];
  for (const row of rows) {
    const current = groups.at(-1);
    const kind = startsListItem(wordsOf(row)) ? 'list-item' : 'paragraph';
    if (current === undefined || kind === 'list-item' || startsParagraph(row, current, spacing)) {
      groups.push({ kind, rows: [row] });
    } else current.rows.push(row);
  }
  return groups.map((group) => ({ kind: group.kind, lines: toLines(group.rows, spacing) }));
}

function startsParagraph(row: Row, current: { kind: Paragraph['kind']; rows: readonly Row[] }, spacing: Spacing) {
  const { height, gap } = spacing;
  const { kind, rows } = current;
  if (gapBetween(rows.at(-1), row) > gap + minParagraphGapHeights * height) return true;
  const indent = row.box.left - (rows.at(-1)?.box.left ?? 0);
  // In a list item, lines after the first are indented. In a paragraph, an indented line starts the next one.
  if (kind === 'list-item') return rows.length === 1 ? indent < height / 4 : indent < -height / 4;
  return indent > minParagraphIndentHeights * height && rows.length > 1;
}

function toLines(rows: readonly Row[], spacing: Spacing): ParagraphLine[] {
  return rows.map((row, index) => {
    return { words: wordsOf(row), startsNewLine: index > 0 && isBreakIntended(rows[index - 1], row, spacing) };
  });
}

/** Whether the first word would have fit in the previous line, or one of the lines consists of cells. */
function isBreakIntended(previous: Row | undefined, row: Row, { height, left, right }: Spacing): boolean {
  const firstWord = wordsOf(row)[0];
  if (previous === undefined || firstWord === undefined) return false;
  if (previous.segments.length > 1 || row.segments.length > 1) return true;
  const freeWidth = right - previous.box.right - maxRaggedness * (right - left);
  return firstWord.box.right - firstWord.box.left + spaceWidthHeights * height < freeWidth;
}

function wordsOf({ segments }: Row): TextWord[] {
  return segments.flatMap(({ words }) => words);
}

function gapBetween(previous: Row | undefined, row: Row): number {
  return row.box.top - (previous?.box.bottom ?? row.box.top);
}

const bulletPattern = /^[•●▪▫■□◦○‣∙·*+–—-]$/u;
const numberPattern = /^\(?(\d{1,3}|[a-z])[.)]$/u;

function startsListItem([first, second]: TextLine): boolean {
  return first !== undefined && second !== undefined && (isBullet(first.text) || numberPattern.test(first.text));
}

/** Whether a word is a bullet of a list. */
export function isBullet(text: string): boolean {
  return bulletPattern.test(text);
}

/** Returns a table if the cells of the rows are aligned in columns. */
function toTable(rows: readonly Row[]): Table | undefined {
  if (rows.length < minTableRows) return undefined;
  const columns = columnsOf(rows);
  if (columns.length < 2 || columns.length > maxTableColumns) return undefined;
  const texts = rows.reduce((sum, { segments }) => sum + segments.length, 0);
  if (rows.length * columns.length > maxCellsPerText * texts) return undefined;
  const table = rows.map(({ segments }) =>
    columns.map((column) => segments.filter(({ box }) => box.left < column.right && box.right > column.left)),
  );
  const cells = table.flat();
  // Markdown tables can't hold two texts of a row in one column, or a pipe in a text.
  if (cells.some((cell) => cell.length > 1)) return undefined;
  if (cells.some(([cell]) => cell?.words.some(({ text }) => text.includes('|')))) return undefined;
  return { kind: 'table', rows: table.map((row) => row.map(([cell]) => cell)) };
}

/** Returns the horizontal ranges of cells from left to right, and merges those that overlap. */
function columnsOf(rows: readonly Row[]): { left: number; right: number }[] {
  const boxes = rows.flatMap(({ segments }) => segments.map(({ box }) => box));
  const columns: { left: number; right: number }[] = [];
  for (const { left, right } of boxes.sort((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last === undefined || left >= last.right) columns.push({ left, right });
    else last.right = Math.max(last.right, right);
  }
  return columns;
}
