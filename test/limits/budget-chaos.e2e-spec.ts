import { useTestApp } from '../setup/use-test-app.js';
import { type ChaosRun, runChaos } from './chaos/run-chaos.js';
import {
  alwaysLimited,
  expireHolds,
  type FinalLimit,
  findExhausted,
  isJustified,
  readLimits,
} from './chaos/verdict.js';

const size = { requests: 800, atOnce: 120, keysPerOrganization: 6, delays: [1, 2, 5] };

describe('Budgets of three replicas, through aborts, failing upstreams, a kill and changes of limits', () => {
  const service = useTestApp();
  let run: ChaosRun;
  let limits: FinalLimit[];
  let budgets: FinalLimit[];
  beforeAll(async () => {
    run = await runChaos(service, size);
    await expireHolds(service);
    limits = await readLimits(service, run);
    budgets = alwaysLimited(limits, run);
  }, 240_000);

  it('should never be exceeded by what upstreams bill', () => {
    const exceeded = budgets.filter(({ billed, max }) => billed > max);
    expect(exceeded).toEqual([]);
  });

  it('should be charged at least what upstreams bill, and never more than they allow', () => {
    const wrong = budgets.filter(({ billed, charged, max }) => charged < billed || charged > max + 1e-6);
    expect(wrong).toEqual([]);
  });

  it('should only be called exhausted when what is charged leaves too little', () => {
    const messages = findExhausted(run.outcomes);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => !isJustified(message))).toEqual([]);
  });

  it('should hold nothing for requests that have ended', () => {
    expect(limits.filter(({ held }) => held !== 0)).toEqual([]);
  });

  it('should have been tested by requests of all kinds', () => {
    const { outcomes, bills } = run;
    const statuses = new Set(outcomes.map(({ seen }) => seen.status));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 429]));
    expect(bills.filter(({ isComplete }) => isComplete).length).toBeGreaterThan(size.requests / 20);
    expect(bills.filter(({ isComplete }) => !isComplete).length).toBeGreaterThan(size.requests / 40);
    expect(new Set(bills.map(({ model }) => model))).toEqual(new Set(['mini', 'large', 'stuck']));
    // Most of each budget was spent, or its end would not have been tested.
    const spent = budgets.filter(({ charged, max }) => charged > max / 2);
    expect(spent.length).toBeGreaterThan(budgets.length / 10);
  });
});
