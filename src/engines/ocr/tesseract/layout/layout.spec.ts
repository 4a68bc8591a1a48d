import { layOut } from './layout.js';
import type { TextLine } from './text.js';

const characterWidth = 10;
const lineHeight = 20;
const linePitch = 26;

/** A line of the text, from this point on; every character is as wide as the others. */
function line(text: string, left: number, top: number): TextLine {
  let x = left;
  return text.split(' ').map((word) => {
    const box = { left: x, top, right: x + word.length * characterWidth, bottom: top + lineHeight };
    x = box.right + characterWidth / 2;
    return { text: word, confidence: 0.9, box };
  });
}

/** Lines below each other; an empty text leaves one out. */
function column(texts: readonly string[], left = 0, top = 0): TextLine[] {
  return texts.flatMap((text, index) => (text === '' ? [] : [line(text, left, top + index * linePitch)]));
}

const markdownOf = (lines: readonly TextLine[]) => layOut(lines).markdown;

const leftColumn = ['The first column of the', 'page tells of the boats', 'that came to the island'];
const rightColumn = ['The second column says', 'how they went again, and', 'what they took with them'];

describe('layOut', () => {
  it('should find nothing on an empty page', () => {
    expect(layOut([])).toEqual({ markdown: '', words: [] });
  });

  it('should join the lines of a paragraph and part paragraphs', () => {
    expect(markdownOf(column(['One paragraph that fills', 'two lines of the page', '', 'Another']))).toBe(
      'One paragraph that fills two lines of the page\n\nAnother',
    );
  });

  it('should keep lines that were ended before their room was used', () => {
    const address = ['Northwind Traders Ltd.', '17 Harbour Street', 'Bristol', '', 'x'.repeat(60)];
    expect(markdownOf(column(address))).toContain('Northwind Traders Ltd.\n17 Harbour Street\nBristol\n\n');
  });

  it.each([
    ['make a word whole that was parted at the end of a line', 'the light-', 'house stands', 'the lighthouse stands'],
    ['keep the hyphen before a name', 'the Anglo-', 'American war', 'the Anglo- American war'],
    ['keep the hyphen of a range', 'pages 10-', '12 are gone', 'pages 10- 12 are gone'],
    ['keep a word of several hyphens', 'the state-of-', 'the-art lamp', 'the state-of- the-art lamp'],
  ])('should %s', (_, first, second, expected) => {
    expect(markdownOf(column([first, second]))).toBe(expected);
  });

  it('should give a whole word the lower of the confidences of its parts', () => {
    const [first = [], second = []] = column(['light-', 'house']);
    const doubtful = second.map((word) => ({ ...word, confidence: 0.4 }));
    expect(layOut([first, doubtful]).words).toEqual([{ text: 'lighthouse', confidence: 0.4, startIndex: 0 }]);
  });

  it('should indent a paragraph by its first line', () => {
    const [first, ...others] = column([
      'First comes one paragraph',
      'of two lines, and then',
      'another that is',
      'indented',
    ]);
    const indented = line('another that is', 40, 2 * linePitch);
    expect(markdownOf([first ?? [], others[0] ?? [], indented, others[2] ?? []])).toContain('then\n\nanother');
  });

  it('should write items of lists, with what hangs under them', () => {
    const lines = [
      ...column(['Please bring these three things:']),
      line('• bread, and if there is some,', 0, linePitch),
      line('cheese', 20, 2 * linePitch),
      line('• water', 0, 3 * linePitch),
      line('1. a lamp', 0, 4 * linePitch),
    ];
    expect(markdownOf(lines)).toBe(
      'Please bring these three things:\n\n- bread, and if there is some, cheese\n- water\n1. a lamp',
    );
  });

  it('should read columns one after the other, below the title over both', () => {
    const title = line('A title that stands over both of the columns', 40, -2 * linePitch);
    // As they come when lines of both columns are found in turn.
    const rows = leftColumn.flatMap((text, index) => [
      line(text, 0, index * linePitch),
      line(rightColumn[index] ?? '', 300, index * linePitch),
    ]);
    expect(markdownOf([title, ...rows])).toBe(
      `A title that stands over both of the columns\n\n${leftColumn.join(' ')}\n\n${rightColumn.join(' ')}`,
    );
  });

  it('should write cells that stand in columns as a table, with gaps where a row has none', () => {
    const rows = [
      ['Item', 'Count', 'Price'],
      ['Lamp', '2', '10.00'],
      ['Oil', '12', ''],
      ['Rope, 10 m', '1', '4.50'],
    ];
    const lines = rows.flatMap((cells, index) =>
      cells.flatMap((cell, place) => (cell === '' ? [] : [line(cell, place * 200, index * linePitch)])),
    );
    expect(markdownOf(lines)).toBe(
      '| Item | Count | Price |\n| --- | --- | --- |\n| Lamp | 2 | 10.00 |\n| Oil | 12 |  |\n| Rope, 10 m | 1 | 4.50 |',
    );
  });

  it('should keep rows as lines where a table cannot say them', () => {
    const lines = ['a|b', 'c', 'd'].flatMap((cell, index) => [
      line(cell, 0, index * linePitch),
      line('value', 200, index * linePitch),
    ]);
    expect(markdownOf(lines)).toBe('a|b value\nc value\nd value');
  });

  it.each([20, 400])('should write %d rows that share no column as lines, not as a table of empty cells', (count) => {
    const rows = Array.from({ length: count }, (_, row) => [
      line('a', row * 30, row * linePitch),
      line('b', 20_000 + row * 30, row * linePitch),
    ]);
    const { markdown, words } = layOut(rows.flat());
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
    expect(() => layOut(lines)).toThrow('has more than 500000 characters of Markdown.');
  });

  it('should straighten a page that is a little askew', () => {
    const rows = ['Item', 'Lamp', 'Oil'].flatMap((cell, index) => [
      line(cell, 0, index * linePitch),
      line(`a remark about the ${cell.toLowerCase()}`, 400, index * linePitch),
    ]);
    const askew = rows.map((words) =>
      words.map(({ box, ...word }) => {
        const shift = box.left * 0.05;
        return { ...word, box: { ...box, top: box.top + shift, bottom: box.bottom + shift } };
      }),
    );
    expect(markdownOf(askew)).toBe(markdownOf(rows));
    expect(markdownOf(askew)).toContain('| Lamp | a remark about the lamp |');
  });

  it.each([
    ['down', (x: number, y: number) => ({ x: 1_000 - y, y: x })],
    ['up', (x: number, y: number) => ({ x: y, y: 1_000 - x })],
  ])('should turn a page whose lines run %s', (_, place) => {
    const upright = column([...leftColumn, '', ...rightColumn]);
    const turned = upright.map((words) =>
      words.map(({ box, ...word }) => {
        const [one, other] = [place(box.left, box.top), place(box.right, box.bottom)];
        const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
        return { ...word, box: { left, right, top: Math.min(one.y, other.y), bottom: Math.max(one.y, other.y) } };
      }),
    );
    expect(markdownOf(turned)).toBe(markdownOf(upright));
  });

  it('should hold every word where it says', () => {
    const lines = [...column([...leftColumn, '', '• water', '', 'light-', 'house']), ...column(rightColumn, 300)];
    const { markdown, words } = layOut(lines);
    for (const { text, startIndex } of words) expect(markdown.startsWith(text, startIndex)).toBe(true);
    const expected = [...leftColumn, '- water lighthouse', ...rightColumn].join(' ').split(' ');
    expect(words.map(({ text }) => text).sort()).toEqual(expected.sort());
  });
});
