import type { AppError } from '../common/errors/app-error.js';
import { type MeterAmounts, meters } from '../common/rules/meters.js';

/** Usage of a request so far. */
export interface RequestUsage extends MeterAmounts {
  /** Id of the model in the catalog. A fallback changes it. */
  model: string;
  /** Whether the request costs nothing. */
  readonly isFree?: boolean;
  /** Whether a limit rejected the request, so that it counts only as that. */
  isLimited?: true;
  /** Whether an upstream was sent the request and hasn't reported what it used. */
  isUnreported?: boolean;
  /** The most that the request can use: what is charged if the upstream never reports it. */
  readonly most?: () => MeterAmounts;
  /** What is charged instead, where more is known: what was sent and received. */
  readonly assumed?: () => MeterAmounts;
  /** What other upstreams may have used for the request before this one. It's charged as well. */
  abandoned?: readonly AbandonedUse[];
  /** From the arrival of the request to the first token of a stream. */
  firstTokenMilliseconds?: number;
  /** Size of a complete response that didn't report what it used. */
  responseBytes?: number;
  /** The error in a response that has begun with a 2xx status. */
  failure?: AppError;
  /** Resolves when the amounts are known, if that's after the client has disconnected. */
  settling?: Promise<void>;
  /**
   * Whether more of a streamed response is certain to follow what was read of it, which therefore needn't be held back.
   * Without it, any chunk may be the last.
   */
  expectsMore?: () => boolean;
}

/** What an upstream may have used for a request that another one got afterwards. */
export interface AbandonedUse {
  readonly model: string;
  readonly used: MeterAmounts;
}

/** What the last upstream or engine of a request has used. */
export function ownUse(usage: RequestUsage | undefined): MeterAmounts {
  const used: MeterAmounts = {};
  const reported = usage?.isUnreported ? (usage.assumed ?? usage.most)?.() : usage;
  for (const { name } of meters) if (reported?.[name]) used[name] = reported[name];
  if (usage?.isUnreported === true) used.estimatedRequests = 1;
  return used;
}

/** What all upstreams and engines of a request have used, given what the last one has. */
export function totalUse(usage: RequestUsage | undefined, own: MeterAmounts): MeterAmounts {
  if (usage?.abandoned === undefined) return own;
  const total = { ...own };
  for (const { used } of usage.abandoned) {
    for (const { name } of meters) if (used[name]) total[name] = (total[name] ?? 0) + used[name];
  }
  return { ...total, estimatedRequests: 1 };
}
