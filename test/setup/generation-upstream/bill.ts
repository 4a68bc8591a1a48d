import type { StreamEvent } from './events.js';
import { firstInput, growsInput, type Plan, type TokenCounts } from './plan.js';

/** What a vendor charges for one request: what it generated until it finished or lost its client. */
export interface Bill extends TokenCounts {
  label: string | undefined;
  dialect: Plan['dialect'];
  /** As the upstream knows it. */
  model: string;
  isStream: boolean;
  /** Whether the client was sent complete usage. */
  reportedUsage: boolean;
  /** Whether everything was sent, including the event that ends a stream. */
  isComplete: boolean;
}

/** Opens the bill of a request: input is charged as soon as the model reads it, but what tools add only at the end. */
export function openBill({ dialect, request, script, counts }: Plan): Bill {
  const { cachedInput, cacheWrite } = counts;
  const input = growsInput(dialect, script) ? firstInput(counts) : counts.input;
  return {
    label: script.label,
    dialect,
    model: request.model,
    isStream: request.stream === true,
    input,
    cachedInput,
    cacheWrite,
    output: 0,
    reasoning: 0,
    reportedUsage: false,
    isComplete: false,
  };
}

/** Charges the tokens of an event. */
export function charge(bill: Bill, { output, reasoning }: Pick<StreamEvent, 'output' | 'reasoning'>): void {
  bill.output += output;
  bill.reasoning += reasoning;
}

/** Charges everything that was planned. */
export function chargeAll(bill: Bill, { counts }: Plan): void {
  bill.input = counts.input;
  bill.output = counts.output;
  bill.reasoning = counts.reasoning;
}
