import { layOut } from './layout.js';
import type { TextLine } from '../page.js';

const characterWidth = 10;
const lineHeight = 20;
const linePitch = 26;

/** A line of text in a monospaced font. */
function line(text: string, left: number, top: number): TextLine {
  let x = left;
  return text.split(' ').map((word) => {
    const box = { left: x, top, right: x + word.length * characterWidth, bottom: top + lineHeight };
    x = box.right + characterWidth / 2;
    return { text: word, confidence: 0.9, box };
  });
}

/** Lines below each other. An empty text leaves a gap. */
function column(texts: readonly string[], left = 0, top = 0): TextLine[] {
  return texts.flatMap((text, index) => (text === '' ? [] : [line(text, left, top + index * linePitch)]));
}

/** Its margins are far from the lines of most tests. */
const tallPage = { left: 0, top: -10_000, right: 1_000, bottom: 10_000 };

const markdownOf = (lines: readonly TextLine[]) => layOut(lines, tallPage).markdown;

/** A line in a larger or smaller font. */
function scaled(factor: number, text: string, left: number, top: number): TextLine {
  return line(text, left, top).map(({ box, ...word }) => {
    return { ...word, box: { ...box, right: left + (box.right - left) * factor, bottom: top + lineHeight * factor } };
  });
}

/** Rows of cells at the given positions. An empty text leaves a cell out. */
function table(rows: readonly (readonly string[])[], lefts: readonly number[], top = 0, pitch = linePitch): TextLine[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, index) => (cell === '' ? [] : [line(cell, lefts[index] ?? 0, top + row * pitch)])),
  );
}

const leftColumn = ['The first column of the', 'page tells of the boats', 'that came to the island'];
const rightColumn = ['The second column says', 'how they left again, and', 'what they took with them'];

describe('layOut', () => {
  it('should return nothing for an empty page', () => {
    expect(layOut([], tallPage)).toEqual({ markdown: '', words: [], headerEnd: 0, footerStart: 0, pictures: [] });
  });

  it('should join the lines of a paragraph, and separate paragraphs', () => {
    expect(markdownOf(column(['One paragraph that fills', 'two lines of the page', '', 'Another']))).toBe(
      'One paragraph that fills two lines of the page\n\nAnother',
    );
  });

  it('should write Chinese and Japanese without spaces between words, and with those around other words', () => {
    const lines = column(['灯塔 看 守 人 ， 无 论 天', '气 如何 。 他 ISO 9001 标', '准 灯台 の ランプ']);
    const { markdown, words } = layOut(lines, tallPage);
    expect(markdown).toBe('灯塔看守人，无论天气如何。他 ISO 9001 标准灯台のランプ');
    for (const { text, startIndex } of words) expect(markdown.startsWith(text, startIndex)).toBe(true);
  });

  it('should keep line breaks after lines that end early', () => {
    const address = ['Northwind Traders Ltd.', '17 Harbour Street', 'Bristol', '', 'x'.repeat(60)];
    expect(markdownOf(column(address))).toContain('Northwind Traders Ltd.\n17 Harbour Street\nBristol\n\n');
  });

  it.each([
    ['join a word that was divided at the end of a line', 'the light-', 'house stands', 'the lighthouse stands'],
    ['keep the hyphen before a name', 'the Anglo-', 'American war', 'the Anglo-American war'],
    ['keep the hyphen of a range', 'pages 10-', '12 are gone', 'pages 10-12 are gone'],
    ['keep the hyphens of a word with several', 'the state-of-', 'the-art lamp', 'the state-of-the-art lamp'],
    ['keep the hyphen of a compound', 'the well-', 'known keeper', 'the well-known keeper'],
    ['keep the hyphen of an omitted ending', 'die Haupt-', 'und Nebenbahn', 'die Haupt- und Nebenbahn'],
    ['join a word at a soft hyphen', 'the light\u00ad', 'house stands', 'the lighthouse stands'],
  ])('should %s', (_, first, second, expected) => {
    expect(markdownOf(column([first, second]))).toBe(expected);
  });

  it('should give a joined word the lower confidence of its halves', () => {
    const [first = [], second = []] = column(['light-', 'house']);
    const uncertain = second.map((word) => ({ ...word, confidence: 0.4 }));
    expect(layOut([first, uncertain], tallPage).words).toEqual([
      { text: 'lighthouse', confidence: 0.4, startIndex: 0 },
    ]);
  });

  it('should start a paragraph at an indented line', () => {
    const [first, ...others] = column([
      'First comes one paragraph',
      'of two lines, and then',
      'another that is',
      'indented',
    ]);
    const indented = line('another that is', 40, 2 * linePitch);
    expect(markdownOf([first ?? [], others[0] ?? [], indented, others[2] ?? []])).toContain('then\n\nanother');
  });

  it('should include indented lines in list items', () => {
    const lines = [
      ...column(['Please bring these three things:']),
      line('• bread, and if you have some,', 0, linePitch),
      line('cheese', 20, 2 * linePitch),
      line('• water', 0, 3 * linePitch),
      line('1. a lamp', 0, 4 * linePitch),
    ];
    expect(markdownOf(lines)).toBe(
      'Please bring these three things:\n\n- bread, and if you have some, cheese\n- water\n1. a lamp',
    );
  });

  it('should read columns one after the other, after a title over both', () => {
    const title = line('A title that is centered over both columns', 40, -2 * linePitch);
    // The lines of both columns alternate.
    const rows = leftColumn.flatMap((text, index) => [
      line(text, 0, index * linePitch),
      line(rightColumn[index] ?? '', 300, index * linePitch),
    ]);
    expect(markdownOf([title, ...rows])).toBe(
      `A title that is centered over both columns\n\n${leftColumn.join(' ')}\n\n${rightColumn.join(' ')}`,
    );
  });

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

  it('should reject a page whose Markdown is too long', () => {
    const lines = column(Array.from({ length: 51 }, () => 'x'.repeat(10_000)));
    expect(() => layOut(lines, tallPage)).toThrow('has more than 500000 characters of Markdown.');
  });

  const prose = [...leftColumn, ...rightColumn];

  it('should write large lines as headings of three levels, also over two lines', () => {
    const lines = [
      scaled(2, 'The boats of', 0, 0),
      scaled(2, 'the islands', 0, 50),
      scaled(1.4, 'LARGE BOATS', 0, 120),
      scaled(1.2, 'Small boats', 0, 170),
      ...column(prose, 0, 210),
    ];
    expect(markdownOf(lines)).toBe(
      `# The boats of the islands\n\n## LARGE BOATS\n\n### Small boats\n\n${prose.join(' ')}`,
    );
  });

  it.each([
    ['capitals', 'A LINE OF CAPITALS', lineHeight * 0.72],
    ['small letters without ascenders', 'no sea so vast', lineHeight * 0.5],
    ['letters with descenders', 'gypsy jungle quay', lineHeight * 0.93],
  ])('should not write %s of the size of the text as a heading', (_, text, height) => {
    const above = line(text, 0, 0).map(({ box, ...word }) => ({ ...word, box: { ...box, bottom: height } }));
    expect(markdownOf([above, ...column(prose, 0, 80)])).not.toContain('#');
  });

  it('should not write a single word in a box that is too high as a heading', () => {
    const high = line('Surname:', 0, 0).map(({ box, ...word }) => ({
      ...word,
      box: { ...box, bottom: 2 * lineHeight },
    }));
    expect(markdownOf([high, ...column(prose, 0, 80)])).not.toContain('#');
  });

  it('should use the font sizes of a document that has them', () => {
    const sized = (size: number) => (words: TextLine) => words.map((word) => ({ ...word, size }));
    const lines = [sized(12)(line('Yachts', 0, 0)), ...column(prose, 0, 80).map(sized(10))];
    expect(markdownOf(lines)).toMatch(/^### Yachts\n\n/);
  });

  it.each([
    ['a long text', `${'a long text in large letters '.repeat(8)}`],
    ['a price', '1,250.00 EUR'],
    ['a quotation', '“They counted twice.”'],
  ])('should not write %s in large letters as a heading', (_, text) => {
    expect(markdownOf([scaled(2, text.trim(), 0, 0), ...column([...prose, ...prose, ...prose], 0, 80)])).not.toContain(
      '#',
    );
  });

  it('should nest lists by their indentation', () => {
    const lines = [
      line('1. Boats', 0, 0),
      line('• yachts, which have', 30, linePitch),
      line('sails', 50, 2 * linePitch),
      line('• ferries', 30, 3 * linePitch),
      line('2. Harbours', 0, 4 * linePitch),
    ];
    expect(markdownOf(lines)).toBe('1. Boats\n   - yachts, which have sails\n   - ferries\n2. Harbours');
  });

  it('should write numbered clauses as paragraphs, with their number', () => {
    const clause = (number: string, text: string, row: number) => [
      line(number, 0, row * linePitch),
      line(text, 90, row * linePitch),
    ];
    const lines = [
      ...clause('1.1', 'The keeper lights the lamp', 0),
      line('every evening', 90, linePitch),
      ...clause('1.2', 'The owner brings the oil', 2),
      ...clause('1.3', 'Both of them may leave it', 3),
    ];
    expect(markdownOf(lines)).toBe(
      '1.1 The keeper lights the lamp every evening\n\n1.2 The owner brings the oil\n\n1.3 Both of them may leave it',
    );
  });

  it('should escape characters that would become Markdown', () => {
    const lines = [
      ['# one', 0],
      ['> two', 60],
      ['---', 120],
      ['<b> *three* 2 * 3', 180],
    ] as const;
    expect(markdownOf(lines.map(([text, top]) => line(text, 0, top)))).toBe(
      '\\# one\n\n\\> two\n\n\\---\n\n\\<b> \\*three* 2 * 3',
    );
  });

  const page = { left: 0, top: 0, right: 600, bottom: 1_000 };
  const bodyTop = 150;

  it('should separate lines in the margins from the text', () => {
    const lines = [
      ...column(prose, 0, bodyTop),
      line('The Boats', 0, 20),
      line('7', 500, 20),
      line('Bristol 2024', 200, 970),
    ];
    const { markdown, headerEnd, footerStart } = layOut(lines, page);
    expect(markdown).toBe(`The Boats 7\n\n${prose.join(' ')}\n\nBristol 2024`);
    expect(markdown.slice(0, headerEnd)).toBe('The Boats 7\n\n');
    expect(markdown.slice(footerStart)).toBe('Bristol 2024');
  });

  it('should not separate the first and last lines of text that reaches into the margins', () => {
    const rows = Math.floor(1_000 / linePitch);
    const lines = column(Array.from({ length: rows }, (_, index) => `line ${index} of a long text`));
    const { markdown, headerEnd, footerStart } = layOut(lines, page);
    expect([headerEnd, footerStart]).toEqual([0, markdown.length]);
  });

  it('should join a sentence that goes on in the next column', () => {
    const left = column([...leftColumn.slice(0, 2), 'that came to the light-']);
    const right = column(['house of the island and', ...rightColumn], 300);
    expect(markdownOf([...left, ...right])).toContain('that came to the lighthouse of the island');
  });

  it('should read a sidebar with short lines after the text, and a picture between columns where it is', () => {
    const text = [...prose, ...prose];
    const sidebar = ['Open daily', 'from nine', 'Dogs free', 'of charge'];
    const lines = sidebar.map((words, index) => line(words, 400, 8 + index * 31));
    expect(markdownOf([...column(text), ...lines])).toMatch(/^The first column .*with them\n\nOpen daily/);
    const labels = table([['Jan', 'Feb']], [100, 400], 200);
    const columns = (top: number) => [...column(leftColumn, 0, top), ...column(rightColumn, 300, top)];
    const read = [leftColumn.join(' '), rightColumn.join(' ')].join('\n\n');
    expect(markdownOf([...columns(0), ...labels, ...columns(320)])).toBe(`${read}\n\nJan Feb\n\n${read}`);
  });

  it('should read three columns under a heading over two of them', () => {
    const third = ['The third one ends with', 'the oil of the lighthouse', 'and with its old keeper'];
    const texts = [leftColumn, rightColumn, third];
    const heading = line('A heading over the first two columns', 0, -60);
    const markdown = markdownOf([heading, ...texts.flatMap((text, index) => column(text, index * 280))]);
    expect(markdown.split('\n\n').slice(1)).toEqual(texts.map((text) => text.join(' ')));
  });

  it('should remove the skew of a page', () => {
    const rows = ['Item', 'Lamp', 'Oil'].flatMap((cell, index) => [
      line(cell, 0, index * linePitch),
      line(`a remark about the ${cell.toLowerCase()}`, 400, index * linePitch),
    ]);
    const skewed = rows.map((words) =>
      words.map(({ box, ...word }) => {
        const shift = box.left * 0.05;
        return { ...word, box: { ...box, top: box.top + shift, bottom: box.bottom + shift } };
      }),
    );
    expect(markdownOf(skewed)).toBe(markdownOf(rows));
    expect(markdownOf(skewed)).toContain('| Lamp | a remark about the lamp |');
  });

  it.each([
    ['downward', (x: number, y: number) => ({ x: 1_000 - y, y: x })],
    ['upward', (x: number, y: number) => ({ x: y, y: 1_000 - x })],
  ])('should rotate a page whose lines run %s', (_, rotate) => {
    const upright = column([...leftColumn, '', ...rightColumn]);
    const rotated = upright.map((words) =>
      words.map(({ box, ...word }) => {
        const [corner, opposite] = [rotate(box.left, box.top), rotate(box.right, box.bottom)];
        const [left, right] = [Math.min(corner.x, opposite.x), Math.max(corner.x, opposite.x)];
        return {
          ...word,
          box: { left, right, top: Math.min(corner.y, opposite.y), bottom: Math.max(corner.y, opposite.y) },
        };
      }),
    );
    expect(markdownOf(rotated)).toBe(markdownOf(upright));
  });

  it('should return the position of every word', () => {
    const lines = [...column([...leftColumn, '', '• water', '', 'light-', 'house']), ...column(rightColumn, 300)];
    const { markdown, words } = layOut(lines, tallPage);
    for (const { text, startIndex } of words) expect(markdown.startsWith(text, startIndex)).toBe(true);
    const expected = [...leftColumn, '- water lighthouse', ...rightColumn].join(' ').split(' ');
    expect(words.map(({ text }) => text).sort()).toEqual(expected.sort());
  });

  /** Returns the Markdown with the numbers of the pictures in it. */
  function markdownWith(lines: readonly TextLine[], boxes: readonly (readonly [number, number, number, number])[]) {
    const pictures = boxes.map(([left, top, right, bottom]) => ({ left, top, right, bottom }));
    const page = layOut(lines, tallPage, pictures);
    let [text, end] = ['', 0];
    for (const { index, position } of page.pictures) {
      text += `${page.markdown.slice(end, position)}[${index}]`;
      end = position;
    }
    return text + page.markdown.slice(end);
  }

  it('should place pictures between the blocks of a page, from top to bottom', () => {
    const lines = [
      ...column(['Before the pictures']),
      ...column(['Between them'], 0, 300),
      ...column(['After'], 0, 600),
    ];
    const boxes = [
      [0, 700, 200, 800],
      [0, 350, 200, 550],
      [0, 40, 200, 280],
    ] as const;
    expect(markdownWith(lines, boxes)).toBe('Before the pictures\n\n[2]Between them\n\n[1]After[0]');
    expect(markdownWith([], boxes)).toBe('[2][1][0]');
  });

  it('should place pictures in the column they are in, and join a paragraph across them', () => {
    const left = column(leftColumn, 0, 200);
    const right = column(['and this sentence goes on', 'with a second line here', 'and then a third one.'], 400, 200);
    const boxes = [
      [0, 0, 230, 150],
      [400, 0, 640, 150],
      [400, 300, 640, 400],
    ] as const;
    expect(markdownWith([...left, ...right], boxes)).toBe(
      `[0]${leftColumn.join(' ')} and this sentence goes on with a second line here and then a third one.[1][2]`,
    );
  });
});
