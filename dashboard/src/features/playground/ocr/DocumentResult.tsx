import { Button, Center, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { RequestError } from '../RequestError.js';
import classes from './DocumentPage.module.css';
import { OcrProgress } from './OcrProgress.js';
import type { OpenDocument, Preview } from './open-document.js';
import { findUnread } from './page-state.js';
import { PageText } from './PageText.js';
import { PdfPage } from './PdfPage.js';
import type { useOcr } from './use-ocr.js';

interface DocumentResultProps {
  document: OpenDocument;
  ocr: ReturnType<typeof useOcr>;
  autoFocus: boolean;
  onClose: () => void;
}

/** Shows each page of a document next to its text. */
export function DocumentResult({ document: { file, preview }, ocr, autoFocus, onClose }: DocumentResultProps) {
  const { pages, read, stop, isReading, mayRead, error } = ocr;
  const canStart = !isReading && mayRead;
  const hasNoResult = error !== null && !isReading && pages.every(({ status }) => status === 'waiting');
  const resume = () => read({ file, pages: findUnread(pages) });
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <IconFileText size={20} aria-hidden />
          <Text fw={500} truncate title={file.name}>
            {file.name}
          </Text>
        </Group>
        <Button variant="default" size="xs" flex="none" onClick={onClose} autoFocus={autoFocus}>
          Use another document
        </Button>
      </Group>
      <OcrProgress
        pages={pages}
        isReading={isReading}
        onCancel={stop}
        onContinue={canStart && error === null ? resume : undefined}
      />
      {error !== null && !isReading && <RequestError error={error} onRetry={canStart ? resume : undefined} />}
      {(hasNoResult ? [] : pages).map((page) => (
        <section key={page.index} aria-labelledby={`page-${page.index}`}>
          <Title order={2} size="h5" mb="xs" id={`page-${page.index}`}>
            Page {page.index + 1}
          </Title>
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <PagePreview preview={preview} index={page.index} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <PageText page={page} onRetry={canStart ? () => read({ file, pages: [page] }) : undefined} />
            </Grid.Col>
          </Grid>
        </section>
      ))}
    </Stack>
  );
}

interface PagePreviewProps {
  preview: Preview;
  /** Starts at 0. */
  index: number;
}

/** A preview of a page, if the browser can show it. */
function PagePreview({ preview, index }: PagePreviewProps) {
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
