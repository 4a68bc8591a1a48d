import { type DrawnImage, drawImage, type Perspective, renderPdf } from '../test/documents/draw-image.js';
import {
  drawDigitalPdf,
  drawPdfWithPicture,
  drawScannedPdf,
  type DrawnPage,
  type Font,
} from '../test/documents/draw-pdf.js';
import { englishLetter, englishProse, englishReport, greekProse, textsByLanguage } from '../test/documents/texts.js';

export interface Sample {
  readonly document: Buffer;
  /** The page as an image, for programs that can't read PDFs. */
  readonly image: Buffer;
  readonly text: string;
}

export interface PageKind {
  readonly name: string;
  /** Code of Tesseract's language data, or several such as `eng+ell`, for native Tesseract. */
  readonly language: string;
  /** Lowest share of words that must be read. */
  readonly minRecall: number;
  draw(): Promise<Sample[]>;
}

const minRecall = 0.97;
const minPhotoRecall = 0.93;
/** The lines hide parts of letters. */
const minRuledRecall = 0.85;
/** Dots per inch of scans. */
const scanDpi = 200;
/** Dots per inch at which a typical screen shows text. */
const screenDpi = 96;

/** Degraded pages are drawn in each font, with a different text. */
const variants: readonly { font: Font; text: string }[] = [
  { font: 'Helvetica', text: englishProse },
  { font: 'Times-Roman', text: englishLetter },
  { font: 'Courier', text: englishReport },
];

const greekFont: Font = 'Liberation Sans';

const invoiceRows = [
  ['Item', 'Quantity', 'Price', 'Amount'],
  ['Copper wire, 10 m', '4', '12.50', '50.00'],
  ['Junction box', '12', '3.75', '45.00'],
  ['Circuit breaker', '2', '18.90', '37.80'],
  ['Cable clips, grey', '150', '0.08', '12.00'],
  ['Labour, hours', '6', '55.00', '330.00'],
];

const viewedFromBelow: Perspective = {
  corners: [
    [0.14, 0.08],
    [0.83, 0.05],
    [0.95, 0.93],
    [0.04, 0.96],
  ],
  table: 70,
};
const viewedFromTheSide: Perspective = {
  corners: [
    [0.06, 0.04],
    [0.92, 0.2],
    [0.95, 0.84],
    [0.1, 0.97],
  ],
  table: 40,
};
const viewedFromFarBelow: Perspective = {
  corners: [
    [0.24, 0.1],
    [0.78, 0.07],
    [0.97, 0.92],
    [0.03, 0.95],
  ],
  table: 90,
  scale: 1.4,
};
const rotatedOnTable: Perspective = {
  corners: [
    [0.22, 0.03],
    [0.96, 0.2],
    [0.76, 0.97],
    [0.04, 0.82],
  ],
  table: 110,
  scale: 1.4,
};

/** Kinds of pages, in the order of the report. */
export const pageKinds: readonly PageKind[] = [
  ...variants.map(({ font, text }) => kind(`Clean, ${font}`, () => [drawScan({ passages: [text], font })])),
  degraded('JPEG', { format: 'jpeg' }),
  degraded('Noise, σ 30', { noise: 30 }),
  degraded('Noise, σ 55', { noise: 55 }),
  degraded('Skew, 3°', { degrees: 3 }),
  degraded('Skew, 7°', { degrees: -7 }),
  degraded('Skew, 12°', { degrees: 12 }),
  degraded('Low contrast, 50 levels', { contrast: 50 }),
  degraded('Low contrast, noise', { contrast: 50, noise: 8 }),
  degraded('Speckle, 3%', { speckles: 0.03 }),
  degraded('Photo, shadow', { isPhoto: true, noise: 6 }, minPhotoRecall),
  degraded('Photo, from below', { perspective: viewedFromBelow, noise: 6 }, minPhotoRecall),
  degraded('Photo, from far below', { perspective: viewedFromFarBelow, noise: 6 }, minPhotoRecall),
  degraded('Photo, from the side', { perspective: viewedFromTheSide, noise: 6 }, minPhotoRecall),
  degraded('Photo, rotated by 13°', { perspective: rotatedOnTable, noise: 6, format: 'jpeg' }, minPhotoRecall),
  degraded('Blur, 2 px at 200 dpi', { blur: 2 }),
  degraded('Screenshot, 96 dpi', { dpi: screenDpi }),
  degraded('Screenshot, 96 dpi, blur', { dpi: screenDpi, blur: 0.8 }),
  degraded('Screenshot, 96 dpi, JPEG', { dpi: screenDpi, format: 'jpeg' }),
  degraded('Dark mode', { isInverted: true }),
  degraded('Dark mode, 96 dpi', { isInverted: true, dpi: screenDpi }),
  kind('Dark table header', () => variants.map(({ font }) => drawScan(invoicePage(font, true)))),
  kind('Light gray text', () =>
    variants.map(({ font, text }) => {
      const [first = '', ...others] = text.split('\n\n');
      return drawScan({ passages: [first, ...others.map((grayText) => ({ grayText }))], font });
    }),
  ),
  kind('Table, invoice', () => variants.map(({ font }) => drawScan(invoicePage(font, false)))),
  kind('Two columns', () => variants.map(({ font }) => drawScan(columnsPage(font)))),
  degraded('Lines through text', { isRuled: true }, minRuledRecall),
  degraded('Rotated by 90°', { degrees: 90 }),
  degraded('Rotated by 180°', { degrees: 180 }),
  ...Object.entries(textsByLanguage).map(([language, text]) => ({
    ...kind(`Language: ${language}`, () =>
      variants.map(({ font }) => drawScan({ passages: [text], font: font === 'Courier' ? 'Times-Roman' : font })),
    ),
    language,
  })),
  { ...kind('Language: ell', () => [drawScan({ passages: [greekProse], font: greekFont })]), language: 'ell' },
  {
    ...kind('Languages: eng and ell', () => [
      drawScan({ passages: [englishProse, greekProse], font: greekFont, fontSize: 10 }),
    ]),
    language: 'eng+ell',
  },
  kind('PDF, text', () => variants.map((variant) => drawPdf(toPage(variant), (page) => drawDigitalPdf([page])))),
  kind('PDF, scan', () =>
    variants.map((variant) => drawPdf(toPage(variant), async (page) => drawScannedPdf([await drawImage(page)]))),
  ),
  kind('PDF, text and picture', () => [drawPictureInText()]),
];

function kind(name: string, drawAll: () => Promise<Sample>[]): PageKind {
  return { name, language: 'eng', minRecall, draw: () => Promise.all(drawAll()) };
}

function degraded(name: string, image: DrawnImage, min = minRecall): PageKind {
  return { ...kind(name, () => variants.map((variant) => drawScan(toPage(variant), image))), minRecall: min };
}

function toPage({ font, text }: (typeof variants)[number]): DrawnPage {
  return { passages: [text], font, fontSize: font === 'Courier' ? 11 : 12 };
}

async function drawScan(page: DrawnPage, image: DrawnImage = {}): Promise<Sample> {
  const document = await drawImage(page, image);
  return { document, image: document, text: textOf(page) };
}

async function drawPdf(page: DrawnPage, draw: (page: DrawnPage) => Promise<Buffer>): Promise<Sample> {
  return withRendering(await draw(page), textOf(page));
}

async function drawPictureInText(): Promise<Sample> {
  const [first = '', second = '', third = ''] = englishProse.split('\n\n');
  const image = await drawImage({ passages: [second] }, { dpi: 300, size: [420, 180] });
  return withRendering(await drawPdfWithPicture(first, { image }, third), englishProse);
}

async function withRendering(document: Buffer, text: string): Promise<Sample> {
  const rendered = await renderPdf(document, scanDpi);
  return { document, image: await rendered.withMetadata({ density: scanDpi }).png().toBuffer(), text };
}

function textOf({ passages }: DrawnPage): string {
  const texts = passages.map((passage) => {
    if (typeof passage === 'string') return passage;
    if ('grayText' in passage) return passage.grayText;
    if ('heading' in passage) return passage.heading;
    return 'rows' in passage ? passage.rows.flat().join(' ') : passage.columns.join(' ');
  });
  return texts.join('\n\n');
}

function invoicePage(font: Font, hasDarkHeader: boolean): DrawnPage {
  return {
    font,
    fontSize: font === 'Courier' ? 9 : 12,
    passages: [
      'INVOICE 2024-0317',
      'Northwind Traders Ltd.\n17 Harbour Street\nBristol BS1 4RN',
      'Invoice date: 14 March 2024\nDue date: 13 April 2024',
      { rows: invoiceRows, hasDarkHeader },
      'Total 474.80 EUR',
      'Please pay within thirty days, quoting the number of the invoice.',
    ],
  };
}

function columnsPage(font: Font): DrawnPage {
  const [first = '', second = '', third = ''] = englishProse.split('\n\n');
  return { font, fontSize: 10, passages: ['Tales of the coast', { columns: [`${first}\n\n${second}`, third] }] };
}
