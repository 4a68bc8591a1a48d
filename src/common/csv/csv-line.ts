/**
 * What makes a spreadsheet take a cell for a formula, also as full-width characters; and the apostrophe itself, so that
 * taking one away always gives the value back.
 */
const needsApostrophe = /^['=+\-@\t\r\n＝＋－＠]/;

/**
 * One line of a CSV file (RFC 4180), with its line break. A cell that a spreadsheet would run as a formula begins with
 * an apostrophe instead.
 *
 * @param cells null leaves the cell empty
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : quote(cell))).join(',')}\r\n`;
}

function quote(cell: string): string {
  const text = needsApostrophe.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
