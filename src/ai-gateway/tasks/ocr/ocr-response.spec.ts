import type { ReadPage } from '../../../engines/ocr/ocr-engine.js';
import { sizeInResponse, writeOcrResponse } from './ocr-response.js';
import type { OcrResponseDto } from './ocr-response.dto.js';

const page: ReadPage = {
  index: 1,
  markdown: 'Total "due"\n\n30 €',
  headerEnd: 0,
  footerStart: 17,
  dimensions: { dpi: 200, width: 1654, height: 2339 },
  words: [
    { text: 'Total', confidence: 0.9, startIndex: 0 },
    { text: '"due"', confidence: 0.6, startIndex: 6 },
  ],
  images: [],
  confidence: 0.75004,
  warning: null,
  languages: ['eng'],
};
const result = {
  model: 'tesseract',
  pages: [page],
  pagesRead: 1,
  documentBytes: 1234,
  confidenceGranularity: undefined,
  extractHeader: false,
  extractFooter: false,
  images: { areIncluded: false },
} as const;

const write = async (changes: Partial<Parameters<typeof writeOcrResponse>[0]> = {}) =>
  JSON.parse((await writeOcrResponse({ ...result, ...changes })).toString()) as OcrResponseDto;

describe('writeOcrResponse', () => {
  it("should have every field of Mistral's response, with unsupported ones empty or null", async () => {
    expect(await write()).toEqual({
      pages: [
        {
          index: 1,
          markdown: 'Total "due"\n\n30 €',
          images: [],
          tables: [],
          hyperlinks: [],
          header: null,
          footer: null,
          blocks: null,
          dimensions: { dpi: 200, width: 1654, height: 2339 },
          confidence: 0.75,
          warning: null,
          languages: ['eng'],
          confidence_scores: null,
        },
      ],
      model: 'tesseract',
      document_annotation: null,
      usage_info: { pages_processed: 1, doc_size_bytes: 1234 },
    });
  });

  it('should contain confidence scores of pages, and of words if requested', async () => {
    const [byPage] = (await write({ confidenceGranularity: 'page' })).pages;
    expect(byPage?.confidence_scores).toEqual({
      average_page_confidence_score: 0.75,
      minimum_page_confidence_score: 0.6,
    });
    const [byWord] = (await write({ confidenceGranularity: 'word' })).pages;
    expect(byWord?.confidence_scores).toEqual({
      average_page_confidence_score: 0.75,
      minimum_page_confidence_score: 0.6,
      word_confidence_scores: [
        { text: 'Total', confidence: 0.9, start_index: 0 },
        { text: '"due"', confidence: 0.6, start_index: 6 },
      ],
    });
  });

  it('should write every word of a page that takes several turns', async () => {
    const words = Array.from({ length: 10_000 }, (_, index) => ({
      text: `w${index}`,
      confidence: 1,
      startIndex: index,
    }));
    const [written] = (await write({ pages: [{ ...page, words }], confidenceGranularity: 'word' })).pages;
    expect(written?.confidence_scores?.word_confidence_scores).toEqual(
      words.map(({ text, confidence, startIndex }) => ({ text, confidence, start_index: startIndex })),
    );
  });

  const texts = [
    ['prose', 'Pläne für den Hafen. '],
    ['quotation marks and backslashes', '"\\"\\"\\ '],
    ['control characters', '\u0001\u0002 '],
    ['lone surrogates', '\ud800\ud801 '],
    ['surrogate pairs', '🚢🚢 '],
  ] as const;
  const granularities = [undefined, 'page', 'word'] as const;
  it.each(texts.flatMap(([kind, text]) => granularities.map((granularity) => [kind, granularity, text] as const)))(
    'should not exceed the size that is counted for %s (confidence scores: %s)',
    async (_, granularity, text) => {
      const markdown = text.repeat(500);
      // Half a surrogate pair is the longest word for its length, and a tiny power of two a long confidence.
      const words = Array.from(markdown.matchAll(/[^ ]/g), ({ 0: word, index }) => {
        return { text: word, confidence: 2 ** -1000, startIndex: index };
      });
      const dimensions = { dpi: 9_999, width: 999_999, height: 999_999 };
      const box = { left: 999_999, top: 999_999, right: 999_999, bottom: 999_999 };
      const images = Array.from({ length: 32 }, () => ({ position: 0, box, jpeg: Buffer.alloc(1_000) }));
      const pages = [
        {
          index: 999,
          markdown,
          headerEnd: 0,
          footerStart: markdown.length,
          words,
          images,
          dimensions,
          confidence: 1 / 3,
          warning: 'low_confidence' as const,
          languages: Array<string>(10).fill('a'.repeat(29)),
        },
      ];
      const written = await writeOcrResponse({ ...result, pages, confidenceGranularity: granularity });
      const counted = sizeInResponse(pages[0] ?? page, granularity);
      expect(written.length).toBeLessThanOrEqual(counted);
      expect(counted).toBeLessThan(1.5 * written.length);
    },
  );

  it('should write large images, numbered through all pages up to the limit, with references in the Markdown', async () => {
    const box = { left: 10, top: 20, right: 310, bottom: 220 };
    const jpeg = Buffer.from(Array.from({ length: 500_000 }, (_, index) => index % 251));
    const start = { position: 0, box, jpeg };
    const pages = [
      { ...page, images: [start, { position: 13, box, jpeg: undefined }] },
      { ...page, images: [{ position: 17, box, jpeg: undefined }, start] },
    ];
    const read = await write({ pages, images: { areIncluded: true, limit: 3 }, confidenceGranularity: 'word' });
    const corners = { top_left_x: 10, top_left_y: 20, bottom_right_x: 310, bottom_right_y: 220 };
    const named = (index: number) => ({ id: `img-${index}.jpeg`, ...corners, image_annotation: null });
    expect(read.pages.map(({ images }) => images)).toEqual([
      [
        { ...named(0), image_base64: `data:image/jpeg;base64,${jpeg.toString('base64')}` },
        { ...named(1), image_base64: null },
      ],
      [{ ...named(2), image_base64: null }],
    ]);
    expect(read.pages.map(({ markdown }) => markdown)).toEqual([
      '![img-0.jpeg](img-0.jpeg)\n\nTotal "due"\n\n![img-1.jpeg](img-1.jpeg)\n\n30 €',
      'Total "due"\n\n30 €\n\n![img-2.jpeg](img-2.jpeg)',
    ]);
    const [words] = read.pages.map(({ confidence_scores: scores }) => scores?.word_confidence_scores ?? []);
    for (const { text, start_index: index } of words ?? []) {
      expect(read.pages[0]?.markdown.slice(index).startsWith(text)).toBe(true);
    }
  });

  it('should have no scores for a page without words', async () => {
    const blank = { ...page, markdown: '', words: [], confidence: null };
    const [written] = (await write({ pages: [blank], confidenceGranularity: 'word' })).pages;
    expect(written).toMatchObject({ markdown: '', confidence: null, warning: null, confidence_scores: null });
  });

  it.each(['no_text_found', 'low_confidence'] as const)('should explain the warning %s', async (code) => {
    const [written] = (await write({ pages: [{ ...page, warning: code }] })).pages;
    expect(written?.warning).toEqual({ code, message: expect.stringMatching(/^\w.*\.$/) as string });
  });

  it('should report a failed page in its position among the others', async () => {
    const failed = { index: 0, failure: 'Page 0 took longer than 60 s.' };
    const { pages } = await write({ pages: [failed, page], confidenceGranularity: 'page' });
    expect(pages[0]).toEqual({
      index: 0,
      markdown: '',
      images: [],
      tables: [],
      hyperlinks: [],
      header: null,
      footer: null,
      blocks: null,
      dimensions: null,
      confidence: null,
      warning: null,
      languages: [],
      confidence_scores: null,
      error: { message: 'Page 0 took longer than 60 s.' },
    });
    expect(pages[1]).not.toHaveProperty('error');
  });

  it('should not block the event loop while writing a thousand pages', async () => {
    const markdown = 'word '.repeat(2000);
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const { pages } = await write({
      pages: Array.from({ length: 1000 }, (_, index) => ({ ...page, index, markdown })),
    });
    clearImmediate(counting);
    expect(pages).toHaveLength(1000);
    expect(turns).toBeGreaterThan(20);
  });
});
