/** Returns the rows of a CSV file whose cells contain no quotes, by column. */
export function readCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = text.split('\r\n').filter(Boolean).map(cellsOf);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

const cellsOf = (line: string) => line.slice(1, -1).split('","');
