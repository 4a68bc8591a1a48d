import { errorName } from '../../src/common/errors/error-utils.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import { toUrl } from '../setup/test-database.js';
import { testJwtSecret } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';
import { runService, type ServiceProcess } from '../start/service-process.js';

const replicaCount = 3;
const workerCount = 24;
const keyCount = 600;
/** Each replica is killed after this many responses, one replica after another. */
const responsesBeforeKill = 100;

/** A request with its own key, which identifies its usage. */
interface Sent {
  id: string;
  /** Tokens in the response, undefined if it was not fully received. */
  tokens: number | undefined;
}

/** A service process and its state. */
interface Replica {
  process: ServiceProcess;
  url: string;
  responses: number;
  isGone: boolean;
}

describe('Three replicas under load, each killed in turn', () => {
  const service = useTestApp();
  let keys: CreatedKey[];
  let replicas: Replica[];

  beforeAll(async () => {
    const member = await createMember(service);
    keys = [];
    // In batches, since too many at once would time out waiting for a connection.
    while (keys.length < keyCount) {
      keys.push(...(await Promise.all(Array.from({ length: 100 }, () => createApiKey(service, member)))));
    }
    const environment = { DATABASE_URL: toUrl(service.database), JWT_SECRET: testJwtSecret, LOG_LEVEL: 'error' };
    replicas = await Promise.all(
      Array.from({ length: replicaCount }, async () => {
        const process = runService(environment);
        return { process, url: await process.ready, responses: 0, isGone: false };
      }),
    );
  });
  afterAll(async () => {
    for (const { process } of replicas) {
      process.child.kill('SIGKILL');
      await process.exited;
    }
  });

  /** Sends one request after another to the remaining replicas. */
  async function work(worker: number, sent: Sent[]): Promise<void> {
    for (let round = worker; ; round++) {
      const alive = replicas.filter(({ isGone }) => !isGone);
      const replica = alive[round % alive.length];
      const key = keys.pop();
      if (replica === undefined || key === undefined) return;
      sent.push(await send(replica, key));
      if (replica.responses >= responsesBeforeKill && isNext(replica)) replica.process.child.kill('SIGKILL');
    }
  }

  const isNext = (replica: Replica) => replicas.find(({ isGone }) => !isGone) === replica;

  async function send(replica: Replica, { id, key }: CreatedKey): Promise<Sent> {
    const body = { model: 'universal-sentence-encoder-lite', input: 'Hello, world' };
    try {
      const response = await call(replica.url, 'POST /v1/embeddings', { token: key, body });
      expect(response.status).toBe(200);
      replica.responses++;
      return { id, tokens: (response.body as { usage: { total_tokens: number } }).usage.total_tokens };
    } catch (error) {
      if (errorName(error) !== 'TypeError') throw error;
      replica.isGone = true;
      return { id, tokens: undefined };
    }
  }

  it('should count every received response once, and no request twice', async () => {
    const sent: Sent[] = [];
    await Promise.all(Array.from({ length: workerCount }, (_, worker) => work(worker, sent)));

    const recorded = await readRecordedUsage(
      service,
      sent.map(({ id }) => id),
    );
    const received = sent.filter(({ tokens }) => tokens !== undefined);
    const cutOff = sent.filter(({ tokens }) => tokens === undefined);
    expect(replicas.map(({ isGone }) => isGone)).toEqual([true, true, true]);
    expect(received.length).toBeGreaterThanOrEqual(replicaCount * responsesBeforeKill);
    expect(cutOff.length).toBeGreaterThan(0);
    const expected = received.map(({ id, tokens }) => [
      id,
      { requests: 1, failures: 0, inputTokens: tokens, pages: 0 },
    ]);
    expect(received.map(({ id }) => [id, recorded.get(id)])).toEqual(expected);
    expect(cutOff.filter(({ id }) => (recorded.get(id)?.requests ?? 0) > 1)).toEqual([]);
  });
});
