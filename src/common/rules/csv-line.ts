/**
 * Characters that start a formula in spreadsheets, including full-width forms. Also the apostrophe, so that removing a
 * leading one always restores the value. Negative numbers aren't formulas, and are summed up.
 */
const needsApostrophe = /^(?!-\d+(?:\.\d+)?$)['=+\-@\t\r\n＝＋－＠]/;

/**
 * One line of a CSV file (RFC 4180), including the line break. Cells that a spreadsheet would run as a formula are
 * prefixed with an apostrophe.
 *
 * @param cells null for an empty cell
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : quote(cell))).join(',')}\r\n`;
}

function quote(cell: string): string {
  const text = needsApostrophe.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
