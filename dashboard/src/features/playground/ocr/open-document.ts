import type { PDFDocumentProxy } from 'pdfjs-dist';

/** What the browser can show. */
export type Preview = { kind: 'pdf'; pdf: PDFDocumentProxy } | { kind: 'image'; url: string } | { kind: 'none' };

/** A selected document. Holds memory until it's closed. */
export interface OpenDocument {
  file: File;
  preview: Preview;
  /** `undefined` if only the service knows. */
  pageCount: number | undefined;
  close: () => void;
}

/** The PDF header may be preceded by other bytes, up to this limit. */
const pdfHeaderWithinBytes = 1024;

/**
 * Opens a document for the preview. Like the service, detects PDFs by their content.
 *
 * @param signal closes the document, if it's aborted while that opens
 */
export async function openDocument(file: File, signal: AbortSignal): Promise<OpenDocument> {
  const start = await file.slice(0, pdfHeaderWithinBytes).text();
  const opened = await (start.includes('%PDF-') ? openAsPdf(file, signal) : openAsImage(file));
  if (signal.aborted) opened.close();
  return opened;
}

async function openAsPdf(file: File, signal: AbortSignal): Promise<OpenDocument> {
  try {
    // Loaded on demand, because it's larger than the rest of the page.
    const { openPdf } = await import('./pdf.js');
    const pdf = await openPdf(file, signal);
    return {
      file,
      preview: { kind: 'pdf', pdf },
      pageCount: pdf.numPages,
      close: () => void pdf.destroy(),
    };
  } catch {
    // The service may still be able to read it, and otherwise explains why not.
    return { file, preview: { kind: 'none' }, pageCount: undefined, close: () => undefined };
  }
}

function openAsImage(file: File): OpenDocument {
  const url = URL.createObjectURL(file);
  return {
    file,
    preview: { kind: 'image', url },
    // A TIFF can have several pages.
    pageCount: undefined,
    close: () => URL.revokeObjectURL(url),
  };
}
