import { Box, Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import classes from './DocumentPage.module.css';

/** The aspect ratio until the page is loaded. */
const a4 = 210 / 297;

/** Sharp on high-density screens, but small enough for phones. */
const widthPixels = 1200;

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  /** Starts at 0. */
  index: number;
  label: string;
}

/** A page of a PDF, rendered only while visible, because long documents don't fit in memory. */
export function PdfPage({ pdf, index, label }: PdfPageProps) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [aspectRatio, setAspectRatio] = useState(a4);
  const [isRendered, setIsRendered] = useState(false);
  useEffect(() => {
    if (!inViewport || canvas.current === null) return;
    const controller = new AbortController();
    void renderPage({ pdf, index, canvas: canvas.current, signal: controller.signal }).then((size) => {
      if (size === undefined) return;
      setAspectRatio(size.width / size.height);
      setIsRendered(true);
    });
    return () => {
      controller.abort();
      setIsRendered(false);
    };
  }, [inViewport, pdf, index]);
  return (
    <Box ref={ref} className={classes.preview} style={{ aspectRatio }}>
      {inViewport && !isRendered && <Skeleton h="100%" />}
      {inViewport && (
        <canvas hidden={!isRendered} ref={canvas} className={classes.canvas} role="img" aria-label={label} />
      )}
    </Box>
  );
}

interface RenderOptions extends Pick<PdfPageProps, 'pdf' | 'index'> {
  canvas: HTMLCanvasElement;
  signal: AbortSignal;
}

/** Renders a page and returns its size, or `undefined` if it failed or was aborted. */
async function renderPage({ pdf, index, canvas, signal }: RenderOptions) {
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
