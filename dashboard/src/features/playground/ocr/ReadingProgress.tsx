import { Button, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import { countOf } from '../../../lib/format-numbers.js';
import type { PageReading } from './page-reading.js';

interface ReadingProgressProps {
  readings: PageReading[];
  isReading: boolean;
  onCancel: () => void;
  /** Reads what has not been read; without it, that is not possible at the moment. */
  onContinue: (() => void) | undefined;
}

/** How many pages have been read, where that can be known, and the way to stop or go on. */
export function ReadingProgress({ readings, isReading, onCancel, onContinue }: ReadingProgressProps) {
  const total = readings.length;
  const done = readings.filter(({ status }) => status === 'read').length;
  const isCounted = !readings.some(({ isWholeDocument }) => isWholeDocument);
  const words = isCounted ? `${done} of ${countOf(total, 'page')}` : isReading ? 'Reading the document…' : 'Not read';
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={30}>
        <Group gap="xs">
          {isReading && !isCounted && <Loader size={16} aria-hidden />}
          <Text size="sm" role="status">
            {words}
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
      {isCounted && (
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
