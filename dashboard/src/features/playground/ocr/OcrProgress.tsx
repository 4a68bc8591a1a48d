import { Button, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import { pluralize } from '../../../lib/format-numbers.js';
import type { PageState } from './page-state.js';

interface OcrProgressProps {
  pages: PageState[];
  isReading: boolean;
  onCancel: () => void;
  /** Reads the remaining pages; `undefined` if that isn't possible now. */
  onContinue: (() => void) | undefined;
}

/** Shows how many pages have been read, if known, with a button to cancel or continue. */
export function OcrProgress({ pages, isReading, onCancel, onContinue }: OcrProgressProps) {
  const total = pages.length;
  const done = pages.filter(({ status }) => status === 'read').length;
  const hasPageCount = !pages.some(({ isWholeDocument }) => isWholeDocument);
  const counted = done === total ? pluralize(total, 'page') : `${done} of ${pluralize(total, 'page')}`;
  const text = hasPageCount ? `${counted} read` : isReading ? 'Reading the document…' : 'Not read';
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={30}>
        <Group gap="xs">
          {isReading && !hasPageCount && <Loader size={16} aria-hidden />}
          <Text size="sm" role="status">
            {text}
          </Text>
        </Group>
        {isReading && (
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {onContinue !== undefined && done < total && (
          <Button size="xs" variant="default" onClick={onContinue}>
            Continue
          </Button>
        )}
      </Group>
      {hasPageCount && (
        <Progress
          aria-label="Pages read"
          value={(done / total) * 100}
          animated={isReading}
          color={!isReading && done === total ? 'teal' : undefined}
          size="sm"
        />
      )}
    </Stack>
  );
}
