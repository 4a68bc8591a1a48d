import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { sawTerminalEvent } from '../setup/generation-request.js';
import { isExact, isSafeEstimate, sumBills } from './billing/records.js';
import { type Outcome, runBilling } from './billing/run-billing.js';
import { fates } from './billing/scenarios.js';

const count = 1000;
/** Fails with the first few of these, because each prints many lines. */
function expectNone(outcomes: Outcome[]): void {
  expect({ count: outcomes.length, first: outcomes.slice(0, 3) }).toEqual({ count: 0, first: [] });
}

describe('1,000 requests in all dialects, left, cut, silent and failing at any byte', () => {
  let database: TestDatabase;
  let outcomes: Outcome[];
  beforeAll(async () => {
    database = await createTestDatabase();
    outcomes = await runBilling(count, database.connection);
  }, 300_000);
  afterAll(() => database.drop());

  it('should be recorded as billed, or as estimated and with at least the bill', () => {
    const wrong = outcomes.filter(({ bills, record }) => {
      const billed = sumBills(bills);
      return !isExact(record, billed) && !isSafeEstimate(record, billed);
    });
    expectNone(wrong);
  });

  it('should be recorded exactly if the client saw the response with its usage to its end', () => {
    const whole = outcomes.filter(({ scenario: { dialect, isStream }, seen, bills }) => {
      const isComplete = isStream ? sawTerminalEvent(dialect, seen.text) : seen.isWhole && seen.status === 200;
      return isComplete && bills.some(({ reportedUsage }) => reportedUsage);
    });
    expect(whole.length).toBeGreaterThan(count / 10);
    expectNone(whole.filter(({ record }) => record.estimated > 0));
  });

  it('should never end like a success if the upstream did not finish', () => {
    const broken = outcomes.filter(({ scenario, seen, bills }) => {
      const isFinished = bills.some(({ isComplete }) => isComplete);
      return !isFinished && seen.status === 200 && sawTerminalEvent(scenario.dialect, seen.text);
    });
    expectNone(broken);
  });

  it.each(fates)('should include enough that were %s', (fate) => {
    const some = outcomes.filter(
      ({ scenario, bills }) => scenario.fate === fate && (fate === 'failing' || bills.length > 0),
    );
    expect(some.length).toBeGreaterThan(count / fates.length / 4);
  });
});
