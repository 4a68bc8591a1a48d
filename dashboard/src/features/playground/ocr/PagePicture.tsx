import { Center, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './DocumentPage.module.css';
import type { Picture } from './open-document.js';
import { PdfPage } from './PdfPage.js';

interface PagePictureProps {
  picture: Picture;
  /** From 0. */
  index: number;
}

/** What a page looks like, where the browser can show it. */
export function PagePicture({ picture, index }: PagePictureProps) {
  const [isUnknown, setIsUnknown] = useState(false);
  const label = `Page ${index + 1}`;
  if (picture.kind === 'pdf') return <PdfPage pdf={picture.pdf} index={index} label={label} />;
  // Of an image with several pages, browsers show the first.
  if (picture.kind === 'image' && index === 0 && !isUnknown) {
    return <img className={classes.image} src={picture.url} alt={label} onError={() => setIsUnknown(true)} />;
  }
  return (
    <Center className={classes.picture} mih={120} p="md">
      <Text size="sm" c="dimmed" ta="center">
        Your browser cannot show this page.
      </Text>
    </Center>
  );
}
