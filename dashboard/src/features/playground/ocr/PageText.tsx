import { Box, Code, Skeleton, Stack, Text } from '@mantine/core';
import { CopyIconButton } from '../../../ui/CopyButton.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import snippet from '../../../ui/CodeSnippet.module.css';
import classes from './DocumentPage.module.css';
import type { PageReading } from './page-reading.js';

interface PageTextProps {
  reading: PageReading;
  /** Without it, the page cannot be read once more at the moment. */
  onRetry: (() => void) | undefined;
}

/** The text of a page, or how far it is from being read. */
export function PageText({ reading, onRetry }: PageTextProps) {
  const name = `page ${reading.index + 1}`;
  switch (reading.status) {
    case 'waiting':
      return (
        <Text size="sm" c="dimmed">
          Not read yet
        </Text>
      );
    case 'reading':
      return (
        <Stack gap="sm" aria-busy aria-label={`Reading ${name}`} role="group">
          {[90, 75, 85, 40].map((width) => (
            <Skeleton key={width} height={12} width={`${width}%`} />
          ))}
        </Stack>
      );
    case 'failed':
      return <ErrorAlert error={reading.error} onRetry={onRetry} />;
    case 'read':
      if (reading.text.trim() === '') return <Text size="sm">There is no text on this page.</Text>;
      return (
        <Box className={snippet.frame}>
          <Code block className={classes.text} role="region" aria-label={`Text of ${name}`}>
            {reading.text}
          </Code>
          <Box className={snippet.copy}>
            <CopyIconButton value={reading.text} label={`Copy the text of ${name}`} />
          </Box>
        </Box>
      );
  }
}
