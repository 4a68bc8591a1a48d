import type { ApiKeyDetails } from '../../../api/schema.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { minuteTime } from '../../../lib/format-time.js';

interface LeakDescription {
  title: string;
  /** What to do. */
  advice: string;
  /** Whether the leaked secret can't be used any more. */
  isOver: boolean;
}

/** Describes the leak of a key and what to do about it. */
export function describeLeak({
  leak,
  enabled,
  previousSecretHint,
}: Pick<ApiKeyDetails, 'leak' | 'enabled' | 'previousSecretHint'>): LeakDescription {
  if (leak?.secret === 'previous') {
    return previousSecretHint === null
      ? {
          title: 'The previous secret of this key leaked. It was revoked.',
          advice: 'The current secret keeps working. The next rotation removes this notice.',
          isOver: true,
        }
      : {
          title: 'The previous secret of this key leaked and still works.',
          advice: 'Revoke the previous secret.',
          isOver: false,
        };
  }
  return enabled
    ? {
        title: 'This key leaked and still works.',
        advice: 'Rotate it without a grace period, disable it or delete it.',
        isOver: false,
      }
    : {
        title: 'This key leaked. It is disabled.',
        advice: 'Rotate it before you enable it: the leaked secret is then revoked immediately.',
        isOver: false,
      };
}

interface LeakReport {
  source: string | null;
  /** The member or service account that reported it. */
  reportedBy?: { name: string };
}

/** Who reported the leak, or the kind of place where it was found; empty if neither is known. */
export function nameReporter({ source, reportedBy }: LeakReport): string {
  if (reportedBy !== undefined) return ` by ${reportedBy.name}`;
  return source === null ? '' : ` (${source})`;
}

const minuteMilliseconds = 60_000;
const hourMilliseconds = 60 * minuteMilliseconds;

/**
 * Says how much a key was used since its leak was reported, as far as that is known.
 *
 * @param use the requests since the start of the hour, or for older reports of the day
 */
export function describeUseSince({ from, requests }: { from: string; requests: number }, reportedAt: string): string {
  if (requests === 0) return `No requests since ${minuteTime(from)}.`;
  const sentence = `${pluralize(requests, 'request')} since ${minuteTime(from)}`;
  const earlier = Date.parse(reportedAt) - Date.parse(from);
  if (earlier <= 0) return `${sentence}.`;
  const [unit, before] =
    earlier < hourMilliseconds
      ? ['hour', pluralize(Math.ceil(earlier / minuteMilliseconds), 'minute')]
      : ['day', pluralize(Math.ceil(earlier / hourMilliseconds), 'hour')];
  return `${sentence}, including any from the ${before} before the report, because usage is counted by the ${unit}.`;
}
