import type { PDFDocumentProxy } from 'pdfjs-dist';

interface RenderOptions {
  pdf: PDFDocumentProxy;
  /** Starts at 0. */
  index: number;
  canvas: HTMLCanvasElement;
  signal: AbortSignal;
}

/** Sharp on high-density screens, but small enough for phones. */
const widthPixels = 1200;

/** Renders a page and returns its size, or `undefined` if it failed or was aborted. */
export async function renderPage({ pdf, index, canvas, signal }: RenderOptions) {
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
