import { Button, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import type { OpenDocument } from './open-document.js';
import { PagePicture } from './PagePicture.js';
import { PageText } from './PageText.js';
import { findUnread } from './page-reading.js';
import { ReadingProgress } from './ReadingProgress.js';
import type { useReading } from './use-reading.js';

interface DocumentReadingProps {
  document: OpenDocument;
  reading: ReturnType<typeof useReading>;
  onClose: () => void;
}

/** A document beside its text, page by page. */
export function DocumentReading({ document: { file, picture }, reading, onClose }: DocumentReadingProps) {
  const { readings, read, stop, isReading, mayRead, error } = reading;
  const isIdle = !isReading && mayRead;
  const nothingToShow = error !== null && !isReading && readings.every(({ status }) => status === 'waiting');
  const goOn = () => read({ file, pages: findUnread(readings) });
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <IconFileText size={20} aria-hidden />
          <Text fw={500} truncate title={file.name}>
            {file.name}
          </Text>
        </Group>
        <Button variant="default" size="xs" flex="none" onClick={onClose} autoFocus>
          Another document
        </Button>
      </Group>
      <ReadingProgress
        readings={readings}
        isReading={isReading}
        onCancel={stop}
        onContinue={isIdle && error === null ? goOn : undefined}
      />
      {error !== null && !isReading && <ErrorAlert error={error} onRetry={isIdle ? goOn : undefined} />}
      {(nothingToShow ? [] : readings).map((page) => (
        <section key={page.index} aria-labelledby={`page-${page.index}`}>
          <Title order={2} size="h5" mb="xs" id={`page-${page.index}`}>
            Page {page.index + 1}
          </Title>
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <PagePicture picture={picture} index={page.index} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <PageText reading={page} onRetry={isIdle ? () => read({ file, pages: [page] }) : undefined} />
            </Grid.Col>
          </Grid>
        </section>
      ))}
    </Stack>
  );
}
