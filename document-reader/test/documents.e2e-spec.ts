import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { FailedPage, ReadPage } from '../src/read-page.js';
import { newReader } from './new-reader.js';
import { drawImage, drawTextImage, drawTiff } from './documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf, drawScannedPdf } from './documents/draw-pdf.js';
import { writeHollowPng } from './documents/write-png.js';

const reader = newReader();
const small = { size: [240, 120] as const };
const megabyte = 1024 * 1024;

function read(document: Buffer, pages?: readonly number[]): Promise<(ReadPage | FailedPage)[]> {
  return reader.read(document, { pages }, new AbortController().signal);
}

/** Returns the Markdown of each page, or its failure. */
async function readTexts(document: Buffer, pages?: readonly number[]): Promise<string[]> {
  return (await read(document, pages)).map((page) => ('failure' in page ? page.failure : page.markdown));
}

/** Gray as light as paper in a shadow. */
async function drawLightOnGray(text: string): Promise<Buffer> {
  const image = sharp(await drawTextImage(text, small)).grayscale();
  return image.negate().linear(0.35, 140).png().toBuffer();
}

const digital = (...texts: string[]) => drawDigitalPdf(texts.map((text) => ({ passages: [text] })));

describe('DocumentReader with documents', () => {
  let harbour: Buffer;
  let candles: Buffer;
  let page: Buffer;

  beforeAll(async () => {
    harbour = await drawTextImage('The harbour is closed.', small);
    page = await drawTextImage('The harbour is closed.');
    candles = await drawTextImage('He counted forty candles.', small);
  });

  afterAll(() => reader.close());

  it.each(['png', 'jpeg', 'webp', 'tiff', 'gif'] as const)('should read a %s image', async (format) => {
    await expect(readTexts(await sharp(harbour).toFormat(format).toBuffer())).resolves.toEqual([
      'The harbour is closed.',
    ]);
  });

  it('should read every page of a TIFF, and of an animation the first frame', async () => {
    const tiff = await drawTiff([harbour, candles]);
    await expect(readTexts(tiff)).resolves.toEqual(['The harbour is closed.', 'He counted forty candles.']);
    const gif = await sharp(tiff, { pages: -1 }).gif().toBuffer();
    await expect(readTexts(gif)).resolves.toEqual(['The harbour is closed.']);
  });

  it('should rotate an image according to its metadata', async () => {
    const sideways = await sharp(harbour).rotate(-90).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await expect(readTexts(sideways)).resolves.toEqual(['The harbour is closed.']);
  });

  it('should read dark text on a transparent background', async () => {
    const { width, height } = await sharp(harbour).metadata();
    const ink = { create: { width, height, channels: 3, background: 'black' } } as const;
    const opacity = await sharp(harbour).grayscale().negate().raw().toBuffer();
    const transparent = sharp(ink).joinChannel(opacity, { raw: { width, height, channels: 1 } });
    await expect(readTexts(await transparent.png().toBuffer())).resolves.toEqual(['The harbour is closed.']);
  });

  it('should read the small letters of a screenshot', async () => {
    const screenshot = await drawTextImage('The harbour is closed.', { ...small, dpi: 96 });
    await expect(readTexts(await sharp(screenshot).png().toBuffer())).resolves.toEqual(['The harbour is closed.']);
  });

  it('should return no text and no warning for a blank page', async () => {
    const blank = sharp({ create: { width: 300, height: 300, channels: 3, background: 'white' } });
    const empty = { markdown: '', confidence: null, warning: null };
    await expect(read(await blank.png().toBuffer())).resolves.toMatchObject([empty]);
    await expect(read(await drawDigitalPdf([{ passages: [] }]))).resolves.toMatchObject([empty]);
    const noisy = await drawImage({ passages: [] }, { ...small, noise: 15 });
    await expect(read(noisy)).resolves.toMatchObject([empty]);
  });

  it('should warn about a page with marks but no text', async () => {
    const waves = Array.from(
      { length: 5 },
      (_, row) => `M 20 ${60 + 50 * row} q 15 -50 30 0 t 30 0 t 30 0 t 30 0 t 30 0`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">
      <path d="${waves.join(' ')}" fill="none" stroke="black" stroke-width="3"/></svg>`;
    const scribbles = await sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer();
    await expect(read(scribbles)).resolves.toMatchObject([
      { markdown: '', confidence: null, warning: 'no_text_found' },
    ]);
  });

  it('should warn about a page that it can hardly read', async () => {
    const blurred = await sharp(page).blur(4).toBuffer();
    await expect(read(blurred)).resolves.toMatchObject([{ warning: 'low_confidence' }]);
    const [readable] = await read(page);
    expect(readable).toMatchObject({ warning: null, confidence: expect.closeTo(0.95, 1) as number });
  });

  it.each([
    ['light text on gray', () => drawLightOnGray('The harbour is closed.')],
    ['a single digit', () => drawTextImage('7', small)],
  ])('should read %s in another attempt', async (_, draw) => {
    const text = (await readTexts(await draw()))[0];
    expect(['The harbour is closed.', '7']).toContain(text);
  });

  it('should read digital PDF pages from their text layer, and recognize scanned ones', async () => {
    const pages = await read(await drawMixedPdf(['The text of a digital page.', page]));
    expect(pages).toMatchObject([{ markdown: 'The text of a digital page.' }, { markdown: 'The harbour is closed.' }]);
    const [first, second] = pages.map((page) => ('words' in page ? page.words : []));
    expect(first?.every(({ confidence }) => confidence === 1)).toBe(true);
    expect(second?.every(({ confidence }) => confidence < 1)).toBe(true);
  });

  it('should read rotated digital pages', async () => {
    const passages = ['The first paragraph of the page.', 'The second paragraph of the page.'];
    const rotations = [0, 90, 270];
    const pages = await read(await drawDigitalPdf(rotations.map((rotation) => ({ passages, rotation }))));
    const markdown = passages.join('\n\n');
    const [upright, rotated] = [
      { dpi: 200, width: 1167, height: 1653 },
      { dpi: 200, width: 1653, height: 1167 },
    ];
    expect(pages).toMatchObject([
      { markdown, dimensions: upright },
      { markdown, dimensions: rotated },
      { markdown, dimensions: rotated },
    ]);
  });

  it('should read only the requested pages', async () => {
    const pages = await read(
      await digital('The very first page of three.', 'The second page of all three.', 'The last page of all three.'),
      [0, 2],
    );
    expect(pages).toMatchObject([
      { index: 0, markdown: 'The very first page of three.' },
      { index: 2, markdown: 'The last page of all three.' },
    ]);
  });

  it('should render a huge page at a lower resolution', async () => {
    const [found] = await read(await drawScannedPdf([page], { size: [10_000, 14_160] }));
    expect(found).toMatchObject({ markdown: 'The harbour is closed.' });
    const { width = 0, height = 0 } = found !== undefined && 'dimensions' in found ? found.dimensions : {};
    expect(width * height).toBeLessThanOrEqual(12_000_000);
  });

  it('should read 1,000 pages in bounded memory, and reject 1,001', async () => {
    const pages = Array.from({ length: 1_000 }, (_, index) => `This is page ${index + 1} of a long book.`);
    const book = await digital(...pages);
    const before = process.memoryUsage.rss();
    await expect(readTexts(book)).resolves.toEqual(pages);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * megabyte);
    await expect(read(await digital(...pages, 'One page too many.'))).rejects.toMatchObject({
      problem: 'too-many-pages',
      message: 'The document has 1001 pages. The maximum is 1000.',
    });
  });

  it.each<[string, string, () => Buffer | Promise<Buffer>, RegExp]>([
    [
      'with plain text',
      'unsupported-type',
      () => Buffer.from('Just some text.'),
      /PDF or an image \(PNG, JPEG, WebP, TIFF or GIF\)\. Detected type: unknown\./,
    ],
    [
      'with an SVG image',
      'unsupported-type',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /PDF or an image/,
    ],
    ['with compressed data', 'unsupported-type', () => deflateSync('x'), /PDF or an image/],
    ['without content', 'empty', () => Buffer.alloc(0), /is empty/],
    ['over 50 MB', 'too-large', () => Buffer.alloc(50 * megabyte + 1), /at most 50 MB/],
    [
      'with too many pixels',
      'too-many-pixels',
      () => writeHollowPng(30_000, 30_000),
      /30000 × 30000 pixels\. The maximum is 100 million\./,
    ],
    ['with an image without pixels', 'corrupt', () => writeHollowPng(300, 300), /image is damaged/],
    ['with half of an image', 'corrupt', () => harbour.subarray(0, harbour.length / 2), /image is damaged/],
    ['with the header of an image', 'corrupt', () => harbour.subarray(0, 20), /image is damaged/],
    ['with the header of a PDF', 'corrupt', () => Buffer.from('%PDF-1.7\n%nothing more'), /PDF is damaged/],
    [
      'with an encrypted PDF',
      'encrypted',
      () => drawDigitalPdf([{ passages: ['Secret'] }], { password: 'sesame' }),
      /encrypted/,
    ],
    ['with a PDF without pages', 'empty', () => drawDigitalPdf([]), /no pages/],
  ])('should reject a document %s as %s', async (_, problem, make, message) => {
    await expect(read(await make())).rejects.toMatchObject({
      problem,
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    [1, 'The document has no page with index 1. Its only page has index 0.'],
    [2, 'The document has no page with index 7. Its page indexes are 0 to 1.'],
  ])('should reject a page index outside a document of %i page(s)', async (count, message) => {
    const document = await digital(...Array.from({ length: count }, () => 'A page of a short document.'));
    const pages = count === 1 ? [1] : [0, 7];
    await expect(read(document, pages)).rejects.toMatchObject({ problem: 'page-out-of-range', message });
  });

  it('should recognize a scan whose text layer contains only a stamp', async () => {
    const stamped = await drawMixedPdf([{ image: page, stamp: 'Scanned on 14 March 2024 at 10:31, page 1 of 1' }]);
    await expect(readTexts(stamped)).resolves.toEqual(['The harbour is closed.']);
  });
});
