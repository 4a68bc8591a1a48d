import type { TextLine } from '../page.js';
import { column, line, lineHeight, markdownOf, prose, scaled } from '../../test/documents/text-lines.js';

describe('layOut with headings', () => {
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
});
