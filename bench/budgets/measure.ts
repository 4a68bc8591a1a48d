import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDatabase } from '../data/bench-database.js';
import { type ChaosRun, runChaos } from '../../test/limits/chaos/run-chaos.js';
import { alwaysLimited, findExhausted, isJustified, readLimits } from '../../test/limits/chaos/verdict.js';
import { startTestApp } from '../../test/setup/test-app.js';

/** Streams take up to a minute, so that so many run at a time on a few processors. */
export const budgetSize = { requests: 6000, atOnce: 1000, keysPerOrganization: 30, delays: [50, 100, 200] };

/** Holds of the killed replica expire by then, and the running requests of others were settled. */
const expirySeconds = 35;

/** What was counted in a run, by what it means. */
export interface BudgetFigures {
  readonly requests: number;
  readonly responses: ReadonlyMap<string, number>;
  readonly bills: number;
  readonly unfinishedBills: number;
  readonly budgets: number;
  /** Budgets of which at least 90% were charged. */
  readonly spentBudgets: number;
  readonly exceededBudgets: number;
  /** Budgets that were charged less than upstreams have billed. */
  readonly underchargedBudgets: number;
  readonly exhausted: number;
  readonly wronglyExhausted: number;
  /** Limits that still hold something. */
  readonly holding: number;
}

/** Compares budgets with the bills of upstreams. */
export async function measureBudgets({ connection }: BenchDatabase): Promise<BudgetFigures> {
  const service = await startTestApp({ database: connection });
  try {
    const run = await runChaos(service, budgetSize);
    await delay(expirySeconds * 1000);
    const limits = await readLimits(service, run);
    const budgets = alwaysLimited(limits, run);
    const messages = findExhausted(run.outcomes);
    return {
      requests: run.outcomes.length,
      responses: countResponses(run),
      bills: run.bills.length,
      unfinishedBills: run.bills.filter(({ isComplete }) => !isComplete).length,
      budgets: budgets.length,
      spentBudgets: budgets.filter(({ charged, max }) => charged >= 0.9 * max).length,
      exceededBudgets: budgets.filter(({ billed, charged, max }) => billed > max || charged > max + 1e-6).length,
      underchargedBudgets: budgets.filter(({ billed, charged }) => charged < billed).length,
      exhausted: messages.length,
      wronglyExhausted: messages.filter((message) => !isJustified(message)).length,
      holding: limits.filter(({ held }) => held !== 0).length,
    };
  } finally {
    await service.stop();
  }
}

function countResponses({ outcomes }: ChaosRun): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { seen } of outcomes) {
    const name = describe(seen);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

function describe({ status, isWhole, text }: ChaosRun['outcomes'][number]['seen']): string {
  if (status === undefined) return 'left, or its replica was killed, before the response';
  if (status === 200) return isWhole ? '200, received to its end' : '200, left or cut';
  if (status === 429) return text.includes('It resets at') && !text.includes('Retry in') ? '429, budget' : '429, rate';
  return `${status}, ${/"code":"([^"]+)"/.exec(text)?.[1] ?? 'another error'}`;
}
