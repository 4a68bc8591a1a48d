import { maxTableColumns } from '../limits.js';
import type { TextLine } from '../page.js';
import type { HeadingLevel } from './headings.js';
import { gapBetween, median, pitchBetween, type Row, type Segment } from './segments.js';

export interface Table {
  readonly kind: 'table';
  /** Lines of the cells by row and column. A cell without lines is empty. */
  readonly rows: readonly (readonly Cell[])[];
}

type Cell = readonly TextLine[];

/** Dimensions that the lines of a region have in common. */
export interface Spacing {
  readonly height: number;
  /** Distance between the bottom of a line and the top of the next one. */
  readonly gap: number;
  /** Distance between the bottom of a row of cells and the top of the next one. */
  readonly cellGap: number;
  readonly left: number;
  readonly right: number;
}

/** The rest of the region that rows are in. */
export interface RegionContext {
  readonly spacing: Spacing;
  /** Levels by the index of their rows. */
  readonly headings: ReadonlyMap<number, HeadingLevel>;
}

/** Horizontal range of a column. */
interface Column {
  readonly left: number;
  right: number;
}

/** Wider gaps in a line that fills the region separate cells. */
const maxJustifiedGapHeights = 3;
/** Gap within a table. Wider ones separate tables. */
const minTableGapHeights = 1.5;
/** Rows of one segment between rows of cells: further lines of a cell. */
const maxSingleRows = 3;
/** Fewer rows may be aligned by chance. */
const minTableRows = 3;
/** Limits empty cells. Rows that share no column would become a table of almost nothing else. */
const maxCellsPerText = 8;
/** Rows above and below that a segment is compared with. */
const maxComparedRows = 20;
/** Share of the rows in which the text under a segment must be divided for the segment to span columns. */
const minDividedShare = 1 / 3;
/** Distance to the previous line of a cell, relative to that between rows. */
const maxLinePitch = 0.75;
/** Like `maxLinePitch`, for a line that continues the cell's text. */
const maxRowPitch = 1.1;
const spaceWidthHeights = 0.4;
/** Share of the cells with two texts in a line, which are usually two columns. */
const maxDoubleShare = 0.1;

/** Returns the table that starts with a row, if there is one, and the end of the rows that were considered. */
export function findTable(
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
export function hasCells(row: Row | undefined, { left, right, height }: Spacing): boolean {
  if (row === undefined || row.segments.length < 2) return false;
  const isFullLine = row.box.left - left < height / 2 && right - row.box.right < height / 2;
  if (!isFullLine) return true;
  return row.segments.some(({ box }, index) => {
    const previous = row.segments[index - 1];
    return previous !== undefined && box.left - previous.box.right > maxJustifiedGapHeights * height;
  });
}

/** Returns a table if the cells of the rows are aligned in columns. Rows of one segment are further lines or headings in it. */
function toTable(rows: readonly Row[]): Table | undefined {
  const cellRows = rows.filter(({ segments }) => segments.length > 1);
  if (cellRows.length < minTableRows) return undefined;
  if (cellRows.some(({ segments }) => segments.length > maxTableColumns)) return undefined;
  const columns = findColumns(cellRows);
  if (columns.length < 2 || columns.length > maxTableColumns) return undefined;
  const texts = rows.reduce((sum, { segments }) => sum + segments.length, 0);
  if (rows.length * columns.length > maxCellsPerText * texts) return undefined;
  const table = fillTable(rows, columns);
  // Only a pipe at the start of a word can be escaped without changing the word.
  const hasPipe = table?.some((row) =>
    row.some((cell) => cell.some((line) => line.some(({ text }) => text.includes('|', 1)))),
  );
  return table === undefined || hasPipe ? undefined : { kind: 'table', rows: table };
}

function findColumns(rows: readonly Row[]): Column[] {
  const cells = rows.flatMap((row, index) => {
    const near = rows.slice(Math.max(0, index - maxComparedRows), index + maxComparedRows + 1);
    return row.segments.filter((segment) => !spansColumns(segment, near));
  });
  return mergeLabels(unite(cells), rows);
}

/** Whether there are two texts over or under a segment in many of the rows near it. */
function spansColumns({ box }: Segment, near: readonly Row[]): boolean {
  let [covered, divided] = [0, 0];
  for (const { segments } of near) {
    const count = segments.filter((other) => overlaps(other.box, box)).length;
    if (count > 0) covered += 1;
    if (count > 1) divided += 1;
  }
  return divided > 1 && divided > minDividedShare * covered;
}

/** Returns the horizontal ranges of cells from left to right, and merges those that overlap. */
function unite(cells: readonly Segment[]): Column[] {
  const columns: Column[] = [];
  for (const { left, right } of cells.map(({ box }) => box).sort((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last === undefined || left >= last.right) columns.push({ left, right });
    else last.right = Math.max(last.right, right);
  }
  return columns;
}

/** Merges labels of totals, which are between two columns, into one that is empty in their rows. */
function mergeLabels(columns: readonly Column[], rows: readonly Row[]): Column[] {
  if (columns.length > maxTableColumns) return [...columns];
  const merged = columns.map((column) => ({ ...column, cells: cellsIn(column, rows) }));
  const isLabel = ({ cells }: (typeof merged)[number]) =>
    !cells.has(0) &&
    cells.size <= rows.length / 2 &&
    [...cells.values()].every(({ words }) => words.some(({ text }) => /\p{L}{2}/u.test(text)));
  for (let index = merged.length - 1; index >= 0; index -= 1) {
    const label = merged[index];
    if (label === undefined || !isLabel(label)) continue;
    const fits = [merged[index - 1], merged[index + 1]].filter(
      (other) =>
        other !== undefined && other.cells.size > 1 && [...label.cells.keys()].every((row) => !other.cells.has(row)),
    );
    const distance = (other: Column | undefined) =>
      other === undefined ? 0 : Math.max(label.left - other.right, other.left - label.right);
    const [target] = fits.sort((one, other) => distance(one) - distance(other));
    if (target === undefined) continue;
    merged[merged.indexOf(target)] = {
      left: Math.min(target.left, label.left),
      right: Math.max(target.right, label.right),
      cells: new Map([...target.cells, ...label.cells]),
    };
    merged.splice(index, 1);
  }
  return merged;
}

/** Returns the segments in a column by the index of their row. */
function cellsIn(column: Column, rows: readonly Row[]): Map<number, Segment> {
  const cells = new Map<number, Segment>();
  rows.forEach(({ segments }, index) => {
    const cell = segments.find(({ box }) => overlaps(box, column));
    if (cell !== undefined) cells.set(index, cell);
  });
  return cells;
}

/** Returns the lines of all cells; undefined if many cells would have two texts in a line. */
function fillTable(rows: readonly Row[], columns: readonly Column[]): TextLine[][][] | undefined {
  const pitch = median(rows.slice(1).map((row, index) => pitchBetween(rows[index] ?? row, row)));
  const table: TextLine[][][] = [];
  let [texts, doubles] = [0, 0];
  rows.forEach((row, index) => {
    const line: TextLine[] = columns.map(() => []);
    for (const { words, box } of row.segments) {
      const column = columns.findIndex(({ right }) => right > box.left);
      const place = column === -1 ? columns.length - 1 : column;
      texts += 1;
      if (line[place]?.length) doubles += 1;
      line[place] = [...(line[place] ?? []), ...words];
    }
    const last = table.at(-1);
    const isContinued =
      last !== undefined && continuesRow({ row, line, previous: rows[index - 1] ?? row, last, columns, pitch });
    if (isContinued) line.forEach((words, column) => words.length > 0 && last[column]?.push(words));
    else table.push(line.map((words) => (words.length === 0 ? [] : [words])));
  });
  return doubles > maxDoubleShare * texts ? undefined : table;
}

interface LineOfRow {
  readonly row: Row;
  /** Its words by column. */
  readonly line: readonly TextLine[];
  readonly previous: Row;
  /** The row of the table that it may continue. */
  readonly last: readonly Cell[];
  readonly columns: readonly Column[];
  readonly pitch: number;
}

/** Whether a row consists of further lines of the cells above: it's close to them, or continues the text of one. */
function continuesRow({ row, line, previous, last, columns, pitch }: LineOfRow): boolean {
  const filled = line.flatMap((words, column) => (words.length > 0 ? [column] : []));
  const lastFilled = last.filter((cell) => cell.length > 0).length;
  if (filled.some((column) => last[column]?.length === 0) || filled.length >= lastFilled) return false;
  if (row.segments.some(({ box }) => columns.filter((column) => overlaps(box, column)).length > 1)) return false;
  if (pitchBetween(previous, row) <= maxLinePitch * pitch) return true;
  if (filled.length > 1 || pitchBetween(previous, row) > maxRowPitch * pitch) return false;
  const [column = 0] = filled;
  const [first, above] = [line[column]?.[0], last[column]?.at(-1)?.at(-1)];
  if (first === undefined || above === undefined) return false;
  const space = spaceWidthHeights * (row.box.bottom - row.box.top);
  const right = (columns[column + 1]?.left ?? Infinity) - space;
  const wouldFit = above.box.right + space + first.box.right - first.box.left <= right;
  return !wouldFit || /^\p{Ll}/u.test(first.text);
}

function overlaps(one: Column, other: Column): boolean {
  return one.left < other.right && one.right > other.left;
}
