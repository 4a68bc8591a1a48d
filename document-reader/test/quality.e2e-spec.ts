import type { ReadPage } from '../src/read-page.js';
import { newReader } from './new-reader.js';
import { type DrawnImage, drawImage, drawTextImage, type Perspective } from './documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf, type DrawnPage, drawPdfWithPicture } from './documents/draw-pdf.js';
import { englishProse } from './documents/texts.js';
import { wordRecall } from './documents/compare-text.js';

const englishReader = newReader();
const [first = '', second = '', third = ''] = englishProse.split('\n\n');

const invoiceRows = [
  ['Item', 'Quantity', 'Price', 'Amount'],
  ['Copper wire, 10 m', '4', '12.50', '50.00'],
  ['Junction box', '12', '3.75', '45.00'],
  ['Circuit breaker', '2', '18.90', '37.80'],
  ['Labour, hours', '6', '55.00', '330.00'],
];
const invoice: DrawnPage = {
  passages: [
    'INVOICE 2024-0317',
    'Northwind Traders Ltd.\n17 Harbour Street\nBristol BS1 4RN',
    'Invoice date: 14 March 2024\nDue date: 13 April 2024',
    { rows: invoiceRows },
    'Total 462.80 EUR',
    'Please pay within thirty days, quoting the number of the invoice.',
  ],
};
const invoiceText = [...invoice.passages.filter((passage) => typeof passage === 'string'), ...invoiceRows.flat()].join(
  ' ',
);

const report: DrawnPage = {
  passages: [
    { heading: 'Harbour report', fontSize: 22 },
    'The pier was repaired in spring. The costs were:',
    {
      rows: [
        ['Work', 'Days', 'Amount'],
        ['Divers', '4', '900.00'],
        ['Painters', '12', '450.00'],
        ['', 'Subtotal', '1,350.00'],
        ['', 'Tax', '270.00'],
      ],
    },
    { heading: 'Next steps', fontSize: 17 },
    '1. Inspect the lamp\n2. Order the oil',
  ],
  footer: 'Page 7',
};

const columns: DrawnPage = {
  fontSize: 10,
  passages: ['Tales of the coast', { columns: [`${first}\n\n${second}`, third] }],
};

async function readSinglePage(document: Buffer, reader = englishReader): Promise<ReadPage> {
  const pages = await reader.read(document, { pages: undefined }, new AbortController().signal);
  const [page] = pages;
  if (page === undefined || 'failure' in page || pages.length > 1) throw new Error(JSON.stringify(pages));
  return page;
}

/** Returns the share of a short text that is read from an image. */
async function recallOfText(image: DrawnImage): Promise<number> {
  const { markdown } = await readSinglePage(await drawTextImage(second, { size: [420, 170], ...image }));
  return wordRecall(second, markdown);
}

let scannedInvoice: Promise<ReadPage> | undefined;
/** Reads the same image once for all tests. */
const readScannedInvoice = () => (scannedInvoice ??= drawImage(invoice).then((image) => readSinglePage(image)));

const tiltedSheet: Perspective = {
  corners: [
    [0.2, 0.1],
    [0.78, 0.05],
    [0.95, 0.93],
    [0.04, 0.96],
  ],
  table: 70,
};

describe('DocumentReader', () => {
  afterAll(() => englishReader.close());

  it('should read the paragraphs of a clean page', async () => {
    const { markdown, dimensions } = await readSinglePage(await drawTextImage(englishProse));
    expect(wordRecall(englishProse, markdown)).toBeGreaterThanOrEqual(0.99);
    expect(markdown.split('\n\n')).toHaveLength(3);
    expect(markdown.split('\n\n').every((paragraph) => !paragraph.includes('\n'))).toBe(true);
    expect(dimensions).toEqual({ dpi: 200, width: 1166, height: 1652 });
  });

  it.each<[string, DrawnImage, number]>([
    ['skewed by 2 degrees and noisy', { degrees: 2, noise: 25 }, 0.97],
    ['skewed by 7 degrees', { degrees: 7 }, 0.99],
    ['skewed by 14 degrees to the left', { degrees: -14 }, 0.99],
    ['very noisy', { noise: 55 }, 0.97],
    ['covered with specks', { speckles: 0.03 }, 0.97],
    ['low in contrast', { contrast: 50 }, 0.99],
    ['low in contrast and noisy', { contrast: 50, noise: 8 }, 0.97],
    ['blurred', { blur: 2 }, 0.97],
    ['shown on a blurry screenshot', { dpi: 96, blur: 0.8 }, 0.97],
    ['photographed', { isPhoto: true, noise: 6 }, 0.97],
    ['photographed from an angle on a table', { perspective: tiltedSheet, noise: 6 }, 0.97],
    ['light on dark', { isInverted: true }, 0.99],
    ['upside down', { degrees: 180 }, 0.99],
    ['rotated right', { degrees: 90 }, 0.99],
    ['rotated left', { degrees: 270 }, 0.99],
    ['compressed as JPEG', { format: 'jpeg' }, 0.99],
  ])('should read a page that is %s', async (_, image, recall) => {
    expect(await recallOfText(image)).toBeGreaterThanOrEqual(recall);
  });

  it('should read light gray text next to black text', async () => {
    const { markdown } = await readSinglePage(
      await drawImage({ passages: [third, { grayText: second }] }, { size: [420, 250] }),
    );
    expect(wordRecall(`${third} ${second}`, markdown)).toBeGreaterThanOrEqual(0.97);
  });

  it.each([
    ['scanned', readScannedInvoice],
    ['digital', async () => readSinglePage(await drawDigitalPdf([invoice]))],
  ])('should keep the table rows and the address lines of a %s invoice', async (_, read) => {
    const { markdown } = await read();
    expect(wordRecall(invoiceText, markdown)).toBeGreaterThanOrEqual(0.97);
    expect(markdown).toContain('Northwind Traders Ltd.\n17 Harbour Street\nBristol BS1 4RN');
    expect(markdown).toContain('| Item | Quantity | Price | Amount |\n| --- | --- | --- | --- |\n');
    expect(markdown).toContain('| Junction box | 12 | 3.75 | 45.00 |\n');
  });

  it.each([
    ['scanned', () => drawImage(report)],
    ['digital', () => drawDigitalPdf([report])],
  ])('should write the headings, list, totals and footer of a %s report', async (_, draw) => {
    const { markdown, footerStart } = await readSinglePage(await draw());
    expect(markdown.split('\n\n')).toEqual([
      '# Harbour report',
      'The pier was repaired in spring. The costs were:',
      '| Work | Days | Amount |\n| --- | --- | --- |\n| Divers | 4 | 900.00 |\n| Painters | 12 | 450.00 |\n' +
        '|  | Subtotal | 1,350.00 |\n|  | Tax | 270.00 |',
      '## Next steps',
      '1. Inspect the lamp\n2. Order the oil',
      'Page 7',
    ]);
    expect(markdown.slice(footerStart)).toBe('Page 7');
  });

  it('should read the narrow columns of a table in a small monospaced font', async () => {
    const { markdown } = await readSinglePage(await drawImage({ ...invoice, font: 'Courier', fontSize: 9 }));
    expect(wordRecall(invoiceText, markdown)).toBeGreaterThanOrEqual(0.99);
  });

  it('should read the white on black header of a table', async () => {
    const { markdown } = await readSinglePage(
      await drawImage({ passages: ['INVOICE 2024-0317', { rows: invoiceRows, hasDarkHeader: true }, first] }),
    );
    expect(markdown).toContain('| Item | Quantity | Price | Amount |\n| --- | --- | --- | --- |\n');
  });

  it.each([
    ['scanned', () => drawImage(columns)],
    ['digital', () => drawDigitalPdf([columns])],
  ])('should read the columns of a %s page one after the other', async (_, draw) => {
    const { markdown } = await readSinglePage(await draw());
    expect(wordRecall(`Tales of the coast ${englishProse}`, markdown)).toBeGreaterThanOrEqual(0.99);
    const order = ['Tales of the coast', 'The lighthouse', 'In the winter', 'Years later', 'clean hands'];
    const positions = order.map((text) => markdown.indexOf(text));
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
    expect(positions[0]).toBe(0);
  });

  it.each([
    ['', false],
    [' in form XObjects', true],
  ])('should read the pictures%s of a page with a text layer in reading order', async (_, isInForm) => {
    const image = await drawTextImage(second, { dpi: 300, size: [420, 180] });
    const { markdown } = await readSinglePage(await drawPdfWithPicture(first, { image, isInForm }, third));
    expect(wordRecall(englishProse, markdown)).toBeGreaterThanOrEqual(0.99);
    const positions = ['The lighthouse', 'In the winter', 'Years later'].map((text) => markdown.indexOf(text));
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
    expect(positions[0]).toBe(0);
  });

  it('should not read the words of a text layer again in the picture behind them', async () => {
    const background = await drawImage({ passages: [''] }, { contrast: 60 });
    const { markdown } = await readSinglePage(await drawMixedPdf([{ background, text: first }]));
    expect(wordRecall(markdown, first)).toBe(1);
    expect(wordRecall(first, markdown)).toBe(1);
  });

  it('should return the position and confidence of each word', async () => {
    const { markdown, words } = await readScannedInvoice();
    expect(words.length).toBeGreaterThan(50);
    for (const { text, confidence, startIndex } of words) {
      expect(markdown.startsWith(text, startIndex)).toBe(true);
      expect(confidence).toBeGreaterThan(0.5);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });
});
