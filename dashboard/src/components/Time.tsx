import { Tooltip } from '@mantine/core';
import { exactTime, relativeTime } from './format-time.js';
import { useNow } from './use-now.js';

interface TimeProps {
  /** ISO 8601. */
  at: string;
}

/** How long ago or ahead; the exact time in the reader's zone on hover. */
export function Time({ at }: TimeProps) {
  const now = useNow();
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at}>{relativeTime(at, now)}</time>
    </Tooltip>
  );
}
