import { layOut } from './layout.js';
import type { TextLine } from '../page.js';
import {
  column,
  leftColumn,
  line,
  linePitch,
  markdownOf,
  prose,
  rightColumn,
  table,
  tallPage,
} from '../../test/documents/text-lines.js';

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

  it('should reject a page whose Markdown is too long', () => {
    const lines = column(Array.from({ length: 51 }, () => 'x'.repeat(10_000)));
    expect(() => layOut(lines, tallPage)).toThrow('has more than 500000 characters of Markdown.');
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

  it('should join a sentence that continues in the next column', () => {
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
