import type { PDFDocumentProxy } from 'pdfjs-dist';

/** What the browser can show of a document. */
export type Picture = { kind: 'pdf'; pdf: PDFDocumentProxy } | { kind: 'image'; url: string } | { kind: 'none' };

/** A document that was chosen. It holds memory until it is closed. */
export interface OpenDocument {
  file: File;
  picture: Picture;
  /** `undefined` where only the service can tell. */
  pageCount: number | undefined;
  close: () => void;
}

/** A PDF may begin with other bytes, as far as this. */
const pdfHeaderWithinBytes = 1024;

/** Prepares a document for being shown. What it holds is told by its content, as the service tells it. */
export async function openDocument(file: File): Promise<OpenDocument> {
  const start = await file.slice(0, pdfHeaderWithinBytes).text();
  return start.includes('%PDF-') ? openAsPdf(file) : openAsImage(file);
}

async function openAsPdf(file: File): Promise<OpenDocument> {
  try {
    // Larger than all the rest of the page, and needed for this only.
    const { openPdf } = await import('./pdf.js');
    const pdf = await openPdf(file);
    return {
      file,
      picture: { kind: 'pdf', pdf },
      pageCount: pdf.numPages,
      close: () => void pdf.destroy(),
    };
  } catch {
    // What the browser cannot open may be readable all the same, and if not, the service says why.
    return { file, picture: { kind: 'none' }, pageCount: undefined, close: () => undefined };
  }
}

function openAsImage(file: File): OpenDocument {
  const url = URL.createObjectURL(file);
  return {
    file,
    picture: { kind: 'image', url },
    // A TIFF may have several.
    pageCount: undefined,
    close: () => URL.revokeObjectURL(url),
  };
}
