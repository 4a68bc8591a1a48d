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

const markdownOf = (lines: readonly TextLine[]) => layOut(lines).markdown;

const leftColumn = ['The first column of the', 'page tells of the boats', 'that came to the island'];
const rightColumn = ['The second column says', 'how they left again, and', 'what they took with them'];

describe('layOut', () => {
  it('should return nothing for an empty page', () => {
    expect(layOut([])).toEqual({ markdown: '', words: [] });
  });

  it('should join the lines of a paragraph, and separate paragraphs', () => {
    expect(markdownOf(column(['One paragraph that fills', 'two lines of the page', '', 'Another']))).toBe(
      'One paragraph that fills two lines of the page\n\nAnother',
    );
  });

  it('should keep line breaks after lines that end early', () => {
    const address = ['Northwind Traders Ltd.', '17 Harbour Street', 'Bristol', '', 'x'.repeat(60)];
    expect(markdownOf(column(address))).toContain('Northwind Traders Ltd.\n17 Harbour Street\nBristol\n\n');
  });

  it.each([
    ['join a word that was hyphenated at the end of a line', 'the light-', 'house stands', 'the lighthouse stands'],
    ['keep the hyphen before a name', 'the Anglo-', 'American war', 'the Anglo- American war'],
    ['keep the hyphen of a range', 'pages 10-', '12 are gone', 'pages 10- 12 are gone'],
    ['keep the hyphens of a word with several', 'the state-of-', 'the-art lamp', 'the state-of- the-art lamp'],
  ])('should %s', (_, first, second, expected) => {
    expect(markdownOf(column([first, second]))).toBe(expected);
  });

  it('should give a joined word the lower confidence of its halves', () => {
    const [first = [], second = []] = column(['light-', 'house']);
    const uncertain = second.map((word) => ({ ...word, confidence: 0.4 }));
    expect(layOut([first, uncertain]).words).toEqual([{ text: 'lighthouse', confidence: 0.4, startIndex: 0 }]);
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
    const lines = ['a|b', 'c', 'd'].flatMap((cell, index) => [
      line(cell, 0, index * linePitch),
      line('value', 200, index * linePitch),
    ]);
    expect(markdownOf(lines)).toBe('a|b value\nc value\nd value');
  });

  it.each([20, 400])('should write %d rows that share no column as lines', (count) => {
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
    const { markdown, words } = layOut(lines);
    for (const { text, startIndex } of words) expect(markdown.startsWith(text, startIndex)).toBe(true);
    const expected = [...leftColumn, '- water lighthouse', ...rightColumn].join(' ').split(' ');
    expect(words.map(({ text }) => text).sort()).toEqual(expected.sort());
  });
});
