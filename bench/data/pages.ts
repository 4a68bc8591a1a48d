import { drawTextImage } from '../../document-reader/test/documents/draw-image.js';
import { drawScannedPdf } from '../../document-reader/test/documents/draw-pdf.js';
import { makeSentences } from './sentences.js';

const sentencesOnPage = 16;

/** Draws different pages of printed text at 200 dpi as PNG. */
export function drawPages(count: number): Promise<Buffer[]> {
  const sentences = makeSentences(count * sentencesOnPage);
  return Promise.all(
    Array.from({ length: count }, (_, page) => {
      const text = sentences.slice(page * sentencesOnPage, (page + 1) * sentencesOnPage).join('. ');
      return drawTextImage(`${text}.`);
    }),
  );
}

/** Creates the body of an OCR request for these pages. */
export async function ocrRequestBody(pages: readonly Buffer[]): Promise<string> {
  const pdf = await drawScannedPdf(pages);
  const document = { document_url: `data:application/pdf;base64,${pdf.toString('base64')}` };
  return JSON.stringify({ model: 'tesseract', document });
}
