import type { MeterAmounts, MeterName } from '../../common/rules/meters.js';
import type { Task } from '../../common/rules/tasks.js';
import type { UpstreamTarget } from '../../config/model-definition.js';

/** How upstreams are asked to do a task, and how they report what it used. */
export interface UpstreamProtocol {
  readonly task: Task;
  /** Follows the base URL of the target. */
  readonly path: `/${string}`;
  /** Whose API it is, for spans; OpenAI's by default. */
  readonly provider?: string;
  /** Headers with Keycard's credential. None of the client's headers are forwarded, so that no secret is. */
  readonly authenticate: (apiKey: string, target: UpstreamTarget) => Readonly<Record<string, string>>;
  /** The fields of the response that report amounts: paths of one to three keys, in lower case. The last one counts. */
  readonly usageFields: ReadonlyMap<string, MeterName>;
  /**
   * Corrects the amounts once the response is complete, and returns whether none is missing. With it, incomplete responses
   * and amounts report nothing; without it, each amount counts as soon as it's read.
   */
  readonly completeUsage?: (usage: MeterAmounts) => boolean;
  /** Whether requests use nothing. */
  readonly isFree?: boolean;
  /**
   * Whether clients get errors as the upstream reports them, and whether other targets are tried after any failure that
   * another might not have.
   */
  readonly reportsErrors?: boolean;
}

/** OpenAI's authentication, which others have adopted. */
export function bearer(apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}` };
}
