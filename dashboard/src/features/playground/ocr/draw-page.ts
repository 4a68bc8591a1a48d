import type { PDFDocumentProxy } from 'pdfjs-dist';

interface Drawing {
  pdf: PDFDocumentProxy;
  /** From 0. */
  index: number;
  canvas: HTMLCanvasElement;
  signal: AbortSignal;
}

/** Sharp enough for small print on a dense screen, and few enough for a phone. */
const widthPixels = 1200;

/** Draws a page; answers its size, or nothing when it could not be drawn or is no longer wanted. */
export async function drawPage({ pdf, index, canvas, signal }: Drawing) {
  try {
    const page = await pdf.getPage(index + 1);
    const viewport = page.getViewport({ scale: widthPixels / page.getViewport({ scale: 1 }).width });
    if (signal.aborted) return undefined;
    canvas.width = viewport.width;
    canvas.height = viewport.height;
    const task = page.render({ canvas, viewport });
    signal.addEventListener('abort', () => task.cancel(), { once: true });
    await task.promise;
    return { width: viewport.width, height: viewport.height };
  } catch {
    return undefined;
  }
}
