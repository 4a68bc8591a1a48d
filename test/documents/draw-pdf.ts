import PDFDocument from 'pdfkit';

/** A line or a paragraph; a list of lists is a table, row by row. */
export type Passage = string | readonly (readonly string[])[];

/** What one page shows. */
export interface DrawnPage {
  /** From top to bottom, each apart from the next. */
  readonly passages: readonly Passage[];
  /** In points; 12 unless told otherwise. */
  readonly fontSize?: number;
  /** Columns that the passages flow through; 1 unless told otherwise. */
  readonly columns?: number;
}

export interface DrawnDocument {
  /** In points; A5 upright unless told otherwise. */
  readonly size?: readonly [width: number, height: number];
  /** Without it the document cannot be opened. */
  readonly password?: string;
}

const a5 = [420, 595] as const;
const marginPoints = 40;
const columnGapPoints = 30;
const rowHeightPoints = 22;

/** A PDF whose pages are text; nothing of it depends on the fonts of the machine. */
export function drawDigitalPdf(pages: readonly DrawnPage[], document: DrawnDocument = {}): Promise<Buffer> {
  const [width, height] = document.size ?? a5;
  const pdf = newPdf(document.password);
  for (const page of pages) {
    pdf.addPage({ size: [width, height], margin: marginPoints });
    drawPage(pdf, page, width);
  }
  return bytesOf(pdf);
}

/** A PDF whose pages are images and hold no text, as scanners make it. */
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

/** A PDF of as many pages as there are parts: a page of text for each string, a scanned one for each image. */
export function drawMixedPdf(parts: readonly (string | Buffer)[]): Promise<Buffer> {
  const [width, height] = a5;
  const pdf = newPdf(undefined);
  for (const part of parts) {
    pdf.addPage({ size: [width, height], margin: 0 });
    if (typeof part === 'string') pdf.fontSize(12).text(part, marginPoints, marginPoints);
    else pdf.image(part, 0, 0, { width, height });
  }
  return bytesOf(pdf);
}

function newPdf(password: string | undefined): PDFKit.PDFDocument {
  return new PDFDocument({ autoFirstPage: false, ...(password === undefined ? {} : { userPassword: password }) });
}

function drawPage(pdf: PDFKit.PDFDocument, { passages, fontSize = 12, columns = 1 }: DrawnPage, width: number): void {
  pdf.font('Helvetica').fontSize(fontSize);
  if (columns > 1) {
    pdf.text(passages.filter((passage) => typeof passage === 'string').join('\n\n'), {
      columns,
      columnGap: columnGapPoints,
    });
    return;
  }
  for (const passage of passages) {
    if (typeof passage === 'string') pdf.text(passage, marginPoints, pdf.y, { width: width - 2 * marginPoints });
    else drawTable(pdf, passage, width);
    pdf.moveDown();
  }
}

/** Columns of equal width; without lines around the cells. */
function drawTable(pdf: PDFKit.PDFDocument, rows: readonly (readonly string[])[], width: number): void {
  for (const row of rows) {
    const top = pdf.y;
    const cellWidth = (width - 2 * marginPoints) / row.length;
    row.forEach((cell, index) => pdf.text(cell, marginPoints + index * cellWidth, top, { lineBreak: false }));
    pdf.y = top + rowHeightPoints;
  }
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
