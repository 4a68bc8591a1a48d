import { Box, Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import classes from './DocumentPage.module.css';
import { drawPage } from './draw-page.js';

/** Width to height, until the page is there and tells. */
const a4 = 210 / 297;

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  /** From 0. */
  index: number;
  label: string;
}

/** A page of a PDF, which is drawn while it can be seen: long documents would not fit into memory. */
export function PdfPage({ pdf, index, label }: PdfPageProps) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [aspectRatio, setAspectRatio] = useState(a4);
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => {
    if (!inViewport || canvas.current === null) return;
    const controller = new AbortController();
    void drawPage({ pdf, index, canvas: canvas.current, signal: controller.signal }).then((size) => {
      if (size === undefined) return;
      setAspectRatio(size.width / size.height);
      setIsDrawn(true);
    });
    return () => {
      controller.abort();
      setIsDrawn(false);
    };
  }, [inViewport, pdf, index]);
  return (
    <Box ref={ref} className={classes.picture} style={{ aspectRatio }}>
      {inViewport && !isDrawn && <Skeleton h="100%" />}
      {inViewport && <canvas hidden={!isDrawn} ref={canvas} className={classes.canvas} role="img" aria-label={label} />}
    </Box>
  );
}
