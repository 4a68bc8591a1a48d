import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';

/** Text on every page of these documents. */
export const invoiceText = 'Invoice number 4711';

/** A PDF with a text layer that is long enough for the engine to use it, since recognizing a page takes much longer. */
export async function drawInvoicePdf(pageCount: number): Promise<Buffer> {
  const document = new PDFDocument({ size: [320, 100], margin: 20, autoFirstPage: false });
  for (let page = 0; page < pageCount; page += 1) document.addPage().text(invoiceText).text('Due in thirty days');
  document.end();
  return buffer(document);
}

/** A scan of one page, black on white. */
export async function drawInvoicePng(): Promise<Buffer> {
  const text = `<text x="100" y="160" font-family="DejaVu Sans, Arial, sans-serif" font-size="60">${invoiceText}</text>`;
  const page = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="300">${text}</svg>`);
  return sharp(page).flatten({ background: 'white' }).withMetadata({ density: 200 }).png().toBuffer();
}
