import { layOut } from './layout.js';
import { column, line, lineHeight, linePitch, markdownOf, table, tallPage } from '../../test/documents/text-lines.js';

describe('layOut with tables', () => {
  it('should write cells that are aligned in columns as a table, with empty cells where a row has none', () => {
    const rows = [
      ['Item', 'Count', 'Price'],
      ['Lamp', '2', '10.00'],
      ['Oil', '12', ''],
      ['Rope, 10 m', '1', '4.50'],
    ];
    const lines = rows.flatMap((cells, index) =>
      cells.flatMap((cell, column) => (cell === '' ? [] : [line(cell, column * 200, index * linePitch)])),
    );
    expect(markdownOf(lines)).toBe(
      '| Item | Count | Price |\n| --- | --- | --- |\n| Lamp | 2 | 10.00 |\n| Oil | 12 |  |\n| Rope, 10 m | 1 | 4.50 |',
    );
  });

  it('should write rows as lines if a cell contains a pipe', () => {
    const rows = table(
      [
        ['a|b', 'value'],
        ['c', 'value'],
        ['d', 'value'],
      ],
      [0, 200],
    );
    expect(markdownOf(rows)).toBe('a|b value\nc value\nd value');
  });

  it('should escape the lines between cells that are read as pipes', () => {
    const rows = table(
      [
        ['|', 'a', '|'],
        ['|', 'b', '|'],
        ['|', 'c', '|'],
      ],
      [0, 100, 200],
    );
    expect(markdownOf(rows)).toContain('| \\| | b | \\| |');
  });

  const items = [
    ['Item', 'Count', 'Price', 'Amount'],
    ['Lamp', '2', '10.00', '20.00'],
    ['Oil', '12', '1.50', '18.00'],
    ['Rope', '1', '4.50', '4.50'],
  ];
  const itemLefts = [0, 200, 300, 400];
  const itemTable = [
    '| Item | Count | Price | Amount |',
    '| --- | --- | --- | --- |',
    '| Lamp | 2 | 10.00 | 20.00 |',
    '| Oil | 12 | 1.50 | 18.00 |',
    '| Rope | 1 | 4.50 | 4.50 |',
  ];
  const totalsTop = items.length * linePitch + lineHeight / 2;

  it('should keep totals in the table, in its columns', () => {
    const totals = [line('Subtotal', 255, totalsTop), line('42.50', 400, totalsTop)];
    const total = [line('Total with all taxes', 200, totalsTop + linePitch), line('50.58', 400, totalsTop + linePitch)];
    expect(markdownOf([...table(items, itemLefts), ...totals, ...total]).split('\n')).toEqual([
      ...itemTable,
      '|  |  | Subtotal | 42.50 |',
      '|  | Total with all taxes |  | 50.58 |',
    ]);
  });

  it('should add further lines of a cell to it', () => {
    const [header = [], lamp = [], ...others] = items;
    const linesOfCell = column(['of brass-', 'ware'], 0, 40 + linePitch);
    const lines = [
      ...table([header, lamp], itemLefts, 0, 40),
      ...linesOfCell,
      ...table(others, itemLefts, 40 + 2 * linePitch + 40, 40),
    ];
    expect(markdownOf(lines)).toContain('| Lamp of brassware | 2 | 10.00 | 20.00 |\n| Oil | 12 |');
  });

  it('should keep the title of a part of a table in it, and write two tables with text between them', () => {
    const title = line('For the boat', 0, 2 * linePitch);
    const rows = [...table(items.slice(0, 2), itemLefts), title, ...table(items.slice(2), itemLefts, 3 * linePitch)];
    const second = table(
      [
        ['Zone', 'Fee'],
        ['City', '5.00'],
        ['Islands', '9.00'],
      ],
      [0, 350],
      400,
    );
    const markdown = markdownOf([...rows, line('All prices include tax.', 0, 260), ...second]);
    expect(markdown.split('\n')).toEqual([
      ...itemTable.slice(0, 3),
      '| For the boat |  |  |  |',
      ...itemTable.slice(3),
      '',
      'All prices include tax.',
      '',
      '| Zone | Fee |',
      '| --- | --- |',
      '| City | 5.00 |',
      '| Islands | 9.00 |',
    ]);
  });

  it.each([20, 400])('should write %d rows that share no column as lines', (count) => {
    const rows = Array.from({ length: count }, (_, row) => [
      line('a', row * 30, row * linePitch),
      line('b', 20_000 + row * 30, row * linePitch),
    ]);
    const { markdown, words } = layOut(rows.flat(), tallPage);
    expect(markdown).not.toContain('|');
    expect(markdown.length).toBeLessThanOrEqual(3 * words.length);
    expect(words).toHaveLength(2 * count);
  });

  it.each([
    ['a table', 64, true],
    ['lines', 65, false],
  ])('should write %s for rows with %d columns', (_, columns, isTable) => {
    const lines = Array.from({ length: 4 * columns }, (__, cell) =>
      line('cell', (cell % columns) * 200, Math.floor(cell / columns) * linePitch),
    );
    expect(markdownOf(lines).startsWith('| cell |')).toBe(isTable);
  });
});
