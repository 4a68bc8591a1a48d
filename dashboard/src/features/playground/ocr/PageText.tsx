import { Alert, Box, Code, Skeleton, Stack, Text } from '@mantine/core';
import { formatShare } from '../../../lib/format-numbers.js';
import { CopyIconButton } from '../../../ui/CopyButton.js';
import { RequestError } from '../RequestError.js';
import snippet from '../../../ui/CodeSnippet.module.css';
import classes from './DocumentPage.module.css';
import type { PageState } from './page-state.js';

interface PageTextProps {
  page: PageState;
  /** `undefined` if the page can't be retried now. */
  onRetry: (() => void) | undefined;
}

/** The text of a page, or its status. */
export function PageText({ page, onRetry }: PageTextProps) {
  const name = `page ${page.index + 1}`;
  switch (page.status) {
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
      return <RequestError error={page.error} onRetry={onRetry} />;
    case 'read':
      return (
        <Stack gap="xs">
          {page.warning !== undefined && (
            <Alert color="yellow" role="status">
              {page.warning}
            </Alert>
          )}
          {page.text.trim() === '' && page.warning === undefined && <Text size="sm">No text found on this page.</Text>}
          {page.text.trim() !== '' && <ReadText text={page.text} name={name} />}
          {page.confidence !== undefined && (
            <Text size="sm" c="dimmed">
              Confidence: {formatShare(page.confidence, 1)}
            </Text>
          )}
        </Stack>
      );
  }
}

function ReadText({ text, name }: { text: string; name: string }) {
  return (
    <Box className={snippet.frame}>
      <Code block className={classes.text} role="region" aria-label={`Text of ${name}`}>
        {text}
      </Code>
      <Box className={snippet.copy}>
        <CopyIconButton value={text} label={`Copy text of ${name}`} />
      </Box>
    </Box>
  );
}
