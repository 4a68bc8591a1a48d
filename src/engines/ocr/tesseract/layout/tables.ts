import { maxTableColumns } from '../limits.js';
import type { Row, Segment } from './segments.js';

/** Fewer rows may stand side by side by chance. */
const LEAST_ROWS = 3;
/** A table has at least one text in this many cells. Rows that share no column would give a table of empty cells. */
const MOST_CELLS_PER_TEXT = 8;

/** Cells by row and column; undefined where a row has none. */
export type Table = readonly (readonly (Segment | undefined)[])[];

/** A table, or a row that belongs to none. */
export type RowOrTable = { readonly row: Row } | { readonly table: Table };

/** Finds the tables among rows: several in a row whose cells stand in the same columns. */
export function findTables(rows: readonly Row[]): RowOrTable[] {
  const found: RowOrTable[] = [];
  let start = 0;
  while (start < rows.length) {
    let end = start;
    while (rows[end] !== undefined && (rows[end]?.segments.length ?? 0) > 1) end += 1;
    const candidates = rows.slice(start, Math.max(end, start + 1));
    const table = toTable(candidates);
    if (table !== undefined) found.push({ table });
    else for (const row of candidates) found.push({ row });
    start += candidates.length;
  }
  return found;
}

function toTable(rows: readonly Row[]): Table | undefined {
  if (rows.length < LEAST_ROWS) return undefined;
  const columns = columnsOf(rows);
  if (columns.length < 2 || columns.length > maxTableColumns) return undefined;
  const texts = rows.reduce((sum, { segments }) => sum + segments.length, 0);
  if (rows.length * columns.length > MOST_CELLS_PER_TEXT * texts) return undefined;
  const table = rows.map(({ segments }) =>
    columns.map((column) => segments.filter(({ box }) => box.left < column.right && box.right > column.left)),
  );
  const cells = table.flat();
  // Two texts of a row in one column, or a stroke that would end a cell: then lines say it more safely.
  if (cells.some((cell) => cell.length > 1)) return undefined;
  if (cells.some(([cell]) => cell?.words.some(({ text }) => text.includes('|')))) return undefined;
  return table.map((row) => row.map(([cell]) => cell));
}

/** The ranges that cells take up, from left to right; those that overlap are one. */
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
