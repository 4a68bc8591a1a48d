import { Box, Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import classes from './DocumentPage.module.css';
import { renderPage } from './render-page.js';

/** The aspect ratio until the page is loaded. */
const a4 = 210 / 297;

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
