import type { Row } from './row.js';

/** A table of the report. */
export interface Table {
  /** Tells it from other tables of the same topic. */
  caption?: string;
  headings: readonly string[];
  lines: readonly (readonly string[])[];
  /** Explanations below it; numbered if its last column refers to them. */
  notes: readonly string[];
}

const verdicts = { true: 'met', false: '**missed**', undefined: '' } as const;
const noteHeading = 'Note';

/** Makes a table of rows without the columns that none of them fills; rows with the same explanation share a note. */
export function tableOf(rows: readonly Row[]): Table {
  const notes = [...new Set(rows.map(({ explanation }) => explanation))];
  const columns: [heading: string, read: (row: Row) => string][] = [
    ['What', (row) => row.what],
    ['Measured', (row) => row.measured],
    ['Against', (row) => row.against],
    ['Ratio', (row) => row.ratio],
    ['Target', (row) => row.target],
    ['Verdict', (row) => verdicts[`${row.isMet}`]],
    [noteHeading, (row) => (notes.length === 1 ? '' : String(notes.indexOf(row.explanation) + 1))],
  ];
  const filled = columns.filter(([, read]) => rows.some((row) => read(row) !== ''));
  return {
    headings: filled.map(([heading]) => heading),
    lines: rows.map((row) => filled.map(([, read]) => read(row))),
    notes,
  };
}

/** Formats the table as Markdown with aligned columns, and its notes below. */
export function formatTable({ caption, headings, lines, notes }: Table): string {
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...lines.map((cells) => cells[column] ?? '')].map((text) => text.length)),
  );
  const format = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = format(widths.map((width) => '-'.repeat(width)));
  const table = [format(headings), rule, ...lines.map(format)].join('\n');
  const isNumbered = headings.at(-1) === noteHeading;
  const below = isNumbered ? notes.map((note, index) => `${index + 1}. ${note}`).join('\n') : notes.join('\n\n');
  return [caption, table, below].filter((part) => part !== undefined && part !== '').join('\n\n');
}
