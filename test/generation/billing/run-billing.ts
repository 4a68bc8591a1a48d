import type { DatabaseConnection } from '../../../src/config/database-connection.js';
import { createApiKey } from '../../factories/api-keys.js';
import { type GenerationGateway, generationModel, startGenerationGateway } from '../../setup/generation-gateway.js';
import { type SeenResponse, sendGeneration } from '../../setup/generation-request.js';
import type { Bill } from '../../setup/generation-upstream/bill.js';
import { waitFor } from '../../setup/wait-for.js';
import { noUsage, readRecords, type UsageRecord } from './records.js';
import { bodyOf, fates, modelsOf, sampleScenarios, type Scenario } from './scenarios.js';

const atOnce = 40;
/** Short, because a seventh of the requests wait for them. */
const limits = { firstByteSeconds: 1, idleSeconds: 1, timeoutSeconds: 10 };

/** A request, and what became of it. */
export interface Outcome {
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

/** Sends this many requests, with all fates, dialects and forms, through Keycard to an upstream that bills. */
export async function runBilling(count: number, database: DatabaseConnection): Promise<Outcome[]> {
  const gateway = await startGenerationGateway({
    database,
    models: ({ baseUrl }) =>
      fates.flatMap((fate) => {
        const onDisconnect = fate === 'drained' ? 'drain' : 'cancel';
        return modelsOf(fate).map((id) => generationModel({ baseUrl, ...limits, onDisconnect }, { id }));
      }),
  });
  return runAll(gateway, sampleScenarios(count));
}
