import type { FailedPage, ReadPage } from '../../../engines/ocr/ocr-engine.js';
import { separateRunningText } from './running-text.js';

function page(index: number, header: string, body: string, footer: string): ReadPage {
  const [start, end] = [header === '' ? '' : `${header}\n\n`, footer === '' ? body : `${body}\n\n`];
  const markdown = `${start}${end}${footer}`;
  const words = Array.from(markdown.matchAll(/\S+/g), ({ 0: text, index: startIndex }) => {
    return { text, confidence: 1, startIndex };
  });
  return {
    index,
    markdown,
    headerEnd: start.length,
    footerStart: start.length + end.length,
    dimensions: { dpi: 200, width: 1_654, height: 2_339 },
    words,
    images: [],
    confidence: 1,
    warning: null,
    languages: [],
  };
}

const both = { extractHeader: true, extractFooter: true };

const separate = (pages: readonly (ReadPage | FailedPage)[], options = both) =>
  pages.flatMap((one, place) => {
    if ('failure' in one) return [];
    const { header, footer, markdown } = separateRunningText(one, place, pages, options);
    return [[header, markdown, footer]];
  });

describe('separateRunningText', () => {
  it('should separate headers and footers that are repeated on other pages, with other numbers or misread letters', () => {
    const pages = [
      page(0, 'Harbour report 2024', 'One', 'Bristol, page 1'),
      page(1, 'Harbour report 2024', 'Two', 'Bristo1, page 2'),
    ];
    expect(separate(pages)).toEqual([
      ['Harbour report 2024', 'One', 'Bristol, page 1'],
      ['Harbour report 2024', 'Two', 'Bristo1, page 2'],
    ]);
  });

  it('should compare left pages with left ones, and skip pages that failed', () => {
    const pages = [
      page(0, 'The boats', 'One', ''),
      { index: 1, failure: 'Page 2 took too long.' },
      page(2, 'The boats', 'Three', ''),
      page(3, 'A. Thornton', 'Four', ''),
    ];
    expect(separate(pages).map(([header]) => header)).toEqual(['The boats', 'The boats', null]);
  });

  it.each(['7', '- 7 -', 'Page 7', 'Page 7 of 12', 'Seite 7 von 12', '7/12'])(
    'should separate the page number %s of a single page',
    (number) => {
      expect(separate([page(0, '', 'Text', number)])).toEqual([[null, 'Text', number]]);
    },
  );

  it.each([
    ['a title', '# Harbour report'],
    ['a year in a sentence', 'Bristol, 7 March 2024'],
    ['a long text', 'word '.repeat(101)],
  ])('should leave %s of a single page in the Markdown', (_, header) => {
    const single = page(0, header, 'Text', '');
    expect(separate([single])).toEqual([[null, single.markdown, null]]);
  });

  it('should leave everything in the Markdown that was not requested', () => {
    const pages = [page(0, 'The boats', 'One', '1'), page(1, 'The boats', 'Two', '2')];
    const [first] = separate(pages, { extractHeader: false, extractFooter: true });
    expect(first).toEqual([null, 'The boats\n\nOne', '1']);
    expect(separate(pages, { extractHeader: false, extractFooter: false })[1]).toEqual([
      null,
      'The boats\n\nTwo\n\n2',
      null,
    ]);
  });

  it('should return the words of the remaining Markdown, at their positions in it', () => {
    const pages = [page(0, 'The boats', 'One two', '1'), page(1, 'The boats', 'Three', '2')];
    const [first] = pages;
    const words = first === undefined ? [] : separateRunningText(first, 0, pages, both).words();
    expect(words.map(({ text, startIndex }) => [text, startIndex])).toEqual([
      ['One', 0],
      ['two', 4],
    ]);
  });
});
