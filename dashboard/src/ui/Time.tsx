import { useTimeText } from '../hooks/use-now.js';
import { makeReachable } from '../lib/exact-times.js';
import { relativeTime } from '../lib/format-time.js';

interface TimeProps {
  /** ISO 8601. */
  at: string;
}

/** A relative time. `ExactTimes` shows the exact one. */
export function Time({ at }: TimeProps) {
  const text = useTimeText((now) => relativeTime(at, now));
  return (
    <time ref={makeReachable} dateTime={at}>
      {text}
    </time>
  );
}
