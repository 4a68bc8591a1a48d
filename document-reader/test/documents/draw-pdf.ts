import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/** A paragraph or lines of text, text in light gray, a heading, a table, or columns of text. */
export type Passage =
  string | { readonly grayText: string } | DrawnHeading | DrawnTable | { readonly columns: readonly string[] };

interface DrawnHeading {
  readonly heading: string;
  readonly fontSize: number;
}

interface DrawnTable {
  readonly rows: readonly (readonly string[])[];
  /** White text on black in the first row. */
  readonly hasDarkHeader?: boolean;
}

/** Standard PDF fonts, which PDFium includes, and one with Greek letters. Pages look the same on every machine. */
export type Font = 'Helvetica' | 'Times-Roman' | 'Courier' | 'Liberation Sans';

const liberationSans = createRequire(import.meta.url).resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf');

/** The content of a page. */
export interface DrawnPage {
  /** From top to bottom, with space in between. */
  readonly passages: readonly Passage[];
  /** Helvetica by default. */
  readonly font?: Font;
  /** In points; 12 by default. */
  readonly fontSize?: number;
  /** The page's `Rotate` entry: 0, 90, 180 or 270 degrees. */
  readonly rotation?: number;
  /** Lines at the top and bottom of the page. */
  readonly header?: string;
  readonly footer?: string;
}

export interface DrawnDocument {
  /** In points; A5 portrait by default. */
  readonly size?: readonly [width: number, height: number];
  /** Required to open the document. */
  readonly password?: string;
}

const a5 = [420, 595] as const;
const marginPoints = 40;
const columnGapPoints = 30;
const rowHeightPoints = 22;

/** Draws a PDF with pages of text. It doesn't depend on the machine's fonts. */
export function drawDigitalPdf(pages: readonly DrawnPage[], document: DrawnDocument = {}): Promise<Buffer> {
  const [width, height] = document.size ?? a5;
  const pdf = newPdf(document.password);
  pdf.registerFont('Liberation Sans' satisfies Font, liberationSans);
  for (const page of pages) {
    pdf.addPage({ size: [width, height], margin: marginPoints });
    drawPage(pdf, page, width);
    if (page.rotation !== undefined) Object.assign(pdf.page.dictionary.data, { Rotate: page.rotation });
  }
  return bytesOf(pdf);
}

/** Draws a PDF with pages of images and no text, as from a scanner. */
export function drawScannedPdf(
  images: readonly Buffer[],
  { size = a5, password }: DrawnDocument = {},
): Promise<Buffer> {
  const [width, height] = size;
  const pdf = newPdf(password);
  for (const image of images) {
    pdf.addPage({ size: [width, height], margin: 0 });
    pdf.image(image, 0, 0, { width, height });
  }
  return bytesOf(pdf);
}

/** A scanned page to which the scanner has added text. */
interface StampedScan {
  readonly image: Buffer;
  readonly stamp: string;
}

/** Text on a picture that covers the page. */
interface TextOnPicture {
  readonly background: Buffer;
  readonly text: string;
}

interface PlacedPicture {
  readonly image: Buffer;
  /** Whether the picture is part of a form XObject (a group of objects), as some programs write it. */
  readonly isInForm?: boolean;
}

/** Draws a page of text with a picture between the two parts of the text. */
export function drawPdfWithPicture(
  before: string,
  { image, isInForm = false }: PlacedPicture,
  after: string,
): Promise<Buffer> {
  const pdf = newPdf(undefined);
  pdf
    .addPage({ size: [...a5], margin: marginPoints })
    .fontSize(12)
    .text(before)
    .moveDown();
  const top = pdf.y;
  const width = a5[0] - 2 * marginPoints;
  if (isInForm) drawInForm(pdf, image, { left: marginPoints, top, width, height: a5[1] / 3 });
  else pdf.image(image, marginPoints, top, { fit: [width, a5[1] / 3] });
  pdf.text(after, marginPoints, top + a5[1] / 3 + marginPoints, { width });
  return bytesOf(pdf);
}

/** Draws an image in a form XObject, which is moved and scaled, in another one. */
function drawInForm(
  pdf: PDFKit.PDFDocument,
  image: Buffer,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  const xObjects = pdf.page.xobjects as Record<string, unknown>;
  const before = new Set(Object.keys(xObjects));
  // Outside the page, to add the image to the document.
  pdf.image(image, -10_000, 0, { width: 1 });
  const name = Object.keys(xObjects).find((key) => !before.has(key)) ?? '';
  const addForm = (content: string, resources: object) => {
    const form = pdf.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 10_000, 10_000], Resources: resources });
    form.end(content);
    return form;
  };
  const inner = addForm(`q 100 0 0 50 7 9 cm /${name} Do Q`, { XObject: { [name]: xObjects[name] } });
  const outer = addForm('q 2 0 0 2 5 5 cm /Inner Do Q', { XObject: { Inner: inner } });
  xObjects['Outer'] = outer;
  // The image's lower left corner is at (19, 23) in the outer form, and it is 200 by 100 units large.
  const [scaleX, scaleY] = [width / 200, height / 100];
  // pdfkit's y axis points down.
  const bottom = top + height;
  pdf.addContent(`q ${scaleX} 0 0 ${-scaleY} ${left - 19 * scaleX} ${bottom + 23 * scaleY} cm /Outer Do Q`);
}

/** Draws a PDF with a page for each part: text for a string, a scan for an image. */
export function drawMixedPdf(parts: readonly (string | Buffer | StampedScan | TextOnPicture)[]): Promise<Buffer> {
  const [width, height] = a5;
  const pdf = newPdf(undefined);
  for (const part of parts) {
    pdf.addPage({ size: [width, height], margin: 0 });
    if (typeof part === 'string') pdf.fontSize(12).text(part, marginPoints, marginPoints);
    else if (Buffer.isBuffer(part)) pdf.image(part, 0, 0, { width, height });
    else if ('background' in part) {
      pdf.image(part.background, 0, 0, { width, height });
      pdf.fontSize(12).text(part.text, marginPoints, marginPoints, { width: width - 2 * marginPoints });
    } else {
      pdf.fontSize(8).text(part.stamp, marginPoints, height - marginPoints, { lineBreak: false });
      // Covers the text, so that only the text layer has it.
      pdf.image(part.image, 0, 0, { width, height });
    }
  }
  return bytesOf(pdf);
}

function newPdf(password: string | undefined): PDFKit.PDFDocument {
  return new PDFDocument({ autoFirstPage: false, ...(password === undefined ? {} : { userPassword: password }) });
}

function drawPage(pdf: PDFKit.PDFDocument, page: DrawnPage, pageWidth: number): void {
  const { passages, header, footer, font = 'Helvetica', fontSize = 12 } = page;
  const width = pageWidth - 2 * marginPoints;
  pdf.font(font).fontSize(fontSize);
  if (header !== undefined) {
    pdf.text(header, marginPoints, marginPoints / 2, { lineBreak: false });
    pdf.y = 2 * marginPoints;
  }
  for (const passage of passages) {
    if (typeof passage === 'string') pdf.text(passage, marginPoints, pdf.y, { width });
    else if ('grayText' in passage) drawGrayText(pdf, passage.grayText, width);
    else if ('heading' in passage) {
      pdf.fontSize(passage.fontSize).text(passage.heading, marginPoints, pdf.y, { width }).fontSize(fontSize);
    } else if ('rows' in passage) drawTable(pdf, passage, width);
    else drawColumns(pdf, passage.columns, width);
    pdf.moveDown();
  }
  if (footer === undefined) return;
  pdf.page.margins.bottom = 0;
  pdf.text(footer, marginPoints, pdf.page.height - marginPoints, { lineBreak: false });
}

function drawGrayText(pdf: PDFKit.PDFDocument, text: string, width: number): void {
  pdf.fillColor('#bbb').text(text, marginPoints, pdf.y, { width }).fillColor('black');
}

/** Draws a table without borders. The first column is twice as wide as the others. */
function drawTable(pdf: PDFKit.PDFDocument, { rows, hasDarkHeader = false }: DrawnTable, width: number): void {
  for (const [rowIndex, row] of rows.entries()) {
    const top = pdf.y;
    const share = width / (row.length + 1);
    const isDark = hasDarkHeader && rowIndex === 0;
    if (isDark) pdf.rect(marginPoints, top - 4, width, rowHeightPoints - 3).fill('black');
    pdf.fillColor(isDark ? 'white' : 'black');
    row.forEach((cell, index) => {
      pdf.text(cell, marginPoints + (index === 0 ? 0 : index + 1) * share, top, { lineBreak: false });
    });
    pdf.y = top + rowHeightPoints;
  }
}

function drawColumns(pdf: PDFKit.PDFDocument, texts: readonly string[], width: number): void {
  const top = pdf.y;
  const columnWidth = (width - (texts.length - 1) * columnGapPoints) / texts.length;
  texts.forEach((text, index) => {
    pdf.text(text, marginPoints + index * (columnWidth + columnGapPoints), top, { width: columnWidth });
  });
}

function bytesOf(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
    pdf.end();
  });
}
