import { createApiKey } from '../factories/api-keys.js';
import { startGenerationGateway, generationModel, type GenerationGateway } from '../setup/generation-gateway.js';
import { sawTerminalEvent, type SeenResponse, sendGeneration } from '../setup/generation-request.js';
import type { Bill } from '../setup/generation-upstream/bill.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';
import { isExact, isSafeEstimate, noUsage, readRecords, sumBills, type UsageRecord } from './billing/records.js';
import { bodyOf, fates, modelsOf, sampleScenarios, type Scenario } from './billing/scenarios.js';

const count = 1000;
const atOnce = 40;
/** Short, because a seventh of the requests wait for them. */
const limits = { firstByteSeconds: 1, idleSeconds: 1, timeoutSeconds: 10 };

interface Outcome {
  scenario: Scenario;
  seen: SeenResponse;
  bills: Bill[];
  record: UsageRecord;
}

/** Sends the requests, each with a key of its own. Returns what clients saw, the upstream billed and Keycard recorded. */
async function runAll(gateway: GenerationGateway, scenarios: Scenario[]): Promise<Outcome[]> {
  const seen = new Map<string, { scenario: Scenario; seen: SeenResponse }>();
  const waiting = [...scenarios];
  const work = async () => {
    for (let scenario = waiting.pop(); scenario !== undefined; scenario = waiting.pop()) {
      const { id, key } = await createApiKey(gateway, gateway.member);
      const { dialect, leaveAt } = scenario;
      const body = bodyOf(scenario, id);
      seen.set(id, { scenario, seen: await sendGeneration({ url: gateway.url, dialect, key, body, leaveAt }) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await waitFor(() => gateway.upstream.countOpen() === 0);
  const billed = new Set(gateway.upstream.bills.map(({ label }) => label));
  const isRecorded = `select 1 from usage where requests > 0 and api_key_id = any($1) group by api_key_id`;
  await waitFor(async () => (await gateway.query(isRecorded, [[...billed]])).length === billed.size);
  await gateway.stop();
  const records = await readRecords(gateway.database);
  const billsOf = (id: string) => gateway.upstream.bills.filter(({ label }) => label === id);
  return [...seen].map(([id, outcome]) => {
    return { ...outcome, bills: billsOf(id), record: records.get(id) ?? noUsage };
  });
}

/** Fails with the first few of these, because each prints many lines. */
function expectNone(outcomes: Outcome[]): void {
  expect({ count: outcomes.length, first: outcomes.slice(0, 3) }).toEqual({ count: 0, first: [] });
}

describe('1,000 requests in all dialects, left, cut, silent and failing at any byte', () => {
  let database: TestDatabase;
  let outcomes: Outcome[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const gateway = await startGenerationGateway({
      database: database.connection,
      models: ({ baseUrl }) =>
        fates.flatMap((fate) => {
          const onDisconnect = fate === 'drained' ? 'drain' : 'cancel';
          return modelsOf(fate).map((id) => generationModel({ baseUrl, ...limits, onDisconnect }, { id }));
        }),
    });
    outcomes = await runAll(gateway, sampleScenarios(count));
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
