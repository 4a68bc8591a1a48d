import { ServiceError } from '../../api/service-error.js';
import { pluralize } from '../../lib/format-numbers.js';
import { exactTime } from '../../lib/format-time.js';

/** Why a limit rejected a request, and what to do. */
export interface LimitExplanation {
  title: string;
  problem: string;
  advice: string;
}

/** When to retry, at the end of the message. The explanation has it in local time. */
const hints = /(?: (?:Retry in \d+ s|It resets at \S+|Unused, it's reset in \d+ s)\.)+$/;
const reset = / It resets at (\S+)\.$/;
const retry = / Retry in \d+ s\./;

/**
 * Explains a request rejected by a limit of its key or organization; undefined for other errors.
 * @param now in milliseconds since 1970
 */
export function explainLimit(error: unknown, now = Date.now()): LimitExplanation | undefined {
  if (!(error instanceof ServiceError) || error.status !== 429) return undefined;
  const { message, code, retryAfterSeconds, receivedAt } = error;
  if (!/^This (key|organization)'s limit of /.test(message)) return undefined;
  const problem = message.replace(hints, '');
  // A budget that is only reserved has room soon.
  const [, resetsAt] = retry.test(message) ? [] : (reset.exec(message) ?? []);
  if (retryAfterSeconds === undefined) {
    return { title: 'Request exceeds a limit', problem, advice: "Retrying won't help. Send less, or raise the limit." };
  }
  // Anthropic's format has no codes.
  if (code === 'insufficient_quota' || resetsAt !== undefined) {
    const time = resetsAt === undefined ? 'after it resets' : `after ${exactTime(resetsAt)}`;
    return {
      title: 'Budget exceeded',
      problem,
      advice: `Try again ${time}, or raise the budget. Budgets don't refill before they reset.`,
    };
  }
  const waitedSeconds = Math.max(0, now - receivedAt) / 1000;
  const secondsLeft = Math.ceil(retryAfterSeconds - waitedSeconds);
  const advice = secondsLeft > 0 ? `Try again in about ${formatWait(secondsLeft)}.` : 'You can try again now.';
  return { title: 'Rate limit exceeded', problem, advice };
}

function formatWait(seconds: number): string {
  return seconds < 120 ? pluralize(seconds, 'second') : pluralize(Math.ceil(seconds / 60), 'minute');
}
