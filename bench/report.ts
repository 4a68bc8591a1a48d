import { cpus } from 'node:os';
import type { Row } from './row.js';

const verdicts = { true: 'met', false: '**missed**', undefined: '' } as const;
const headings = ['', 'What', 'Measured', 'Against', 'Ratio', 'Target', 'Verdict'];

/** Formats the rows as a Markdown table with aligned columns. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row, index) => [
    String(index + 1),
    row.what,
    row.measured,
    row.against,
    row.ratio,
    row.target,
    verdicts[`${row.isMet}`],
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...lines.map((cells) => cells[column] ?? '')].map((text) => text.length)),
  );
  const format = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = format(widths.map((width) => '-'.repeat(width)));
  return [format(headings), rule, ...lines.map(format)].join('\n');
}

/** Formats `bench/results.md`. */
export function formatReport(rows: readonly Row[]): string {
  const processors = cpus();
  return [
    '# Benchmark results',
    '',
    'Written by `npm run bench`. Figures are medians over interleaved rounds. Ratios are medians of the ratios in each',
    'round; they vary less between machines than figures.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Node ${process.version}`,
    `- ${processors.length} × ${processors[0]?.model.trim()}`,
    '',
    formatTable(rows),
    '',
    ...rows.map(({ explanation }, index) => `${index + 1}. ${explanation}`),
    '',
  ].join('\n');
}
