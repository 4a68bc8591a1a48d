import { Center, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './DocumentPage.module.css';
import type { Preview } from './open-document.js';
import { PdfPage } from './PdfPage.js';

interface PagePreviewProps {
  preview: Preview;
  /** Starts at 0. */
  index: number;
}

/** A preview of a page, if the browser can show it. */
export function PagePreview({ preview, index }: PagePreviewProps) {
  const [hasFailed, setHasFailed] = useState(false);
  const label = `Page ${index + 1}`;
  if (preview.kind === 'pdf') return <PdfPage pdf={preview.pdf} index={index} label={label} />;
  // Browsers show only the first page of an image with several pages.
  if (preview.kind === 'image' && index === 0 && !hasFailed) {
    return <img className={classes.image} src={preview.url} alt={label} onError={() => setHasFailed(true)} />;
  }
  return (
    <Center className={classes.preview} mih={120} p="md">
      <Text size="sm" c="dimmed" ta="center">
        Your browser can&apos;t show this page.
      </Text>
    </Center>
  );
}
