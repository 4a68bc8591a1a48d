import { Tooltip } from '@mantine/core';
import { exactTime, relativeTime } from '../lib/format-time.js';
import { useTimeText } from '../hooks/use-now.js';

interface TimeProps {
  /** ISO 8601. */
  at: string;
}

/** A relative time, with the exact local time in a tooltip, on hover or tap. */
export function Time({ at }: TimeProps) {
  const text = useTimeText((now) => relativeTime(at, now));
  return (
    <Tooltip label={exactTime(at)} events={{ hover: true, focus: false, touch: true }}>
      <time dateTime={at}>{text}</time>
    </Tooltip>
  );
}
