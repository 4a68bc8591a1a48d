import { Tooltip } from '@mantine/core';
import { exactTime, relativeTime } from '../lib/format-time.js';
import { usePresent } from '../hooks/use-now.js';

interface TimeProps {
  /** ISO 8601. */
  at: string;
}

/** How long ago or ahead; the exact time in the reader's zone on hover. */
export function Time({ at }: TimeProps) {
  const text = usePresent((now) => relativeTime(at, now));
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at}>{text}</time>
    </Tooltip>
  );
}
