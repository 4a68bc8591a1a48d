import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { withRefreshToken } from '../setup/cookies.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import type { TestApp } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

interface OutageEnd {
  msg: string;
  failedRequests: number;
}

/** Sends requests until this message was logged so many times. */
async function waitForLog(service: TestApp, message: string, count: number, token: string): Promise<OutageEnd[]> {
  const read = () => service.logLines.map((line) => JSON.parse(line) as OutageEnd).filter(({ msg }) => msg === message);
  await waitFor(async () => {
    await call(service.url, 'GET /v1/models', { token });
    return read().length === count;
  });
  return read();
}

describe('While the database restarts under load, Keycard', () => {
  let folder: TemporaryFolder;
  let postgres: EmbeddedPostgres;

  const service = useTestApp(async () => {
    folder = await makeTemporaryFolder();
    postgres = await startEmbeddedPostgres(folder.path);
    await migrate(postgres.connection);
    return { database: postgres.connection };
  });
  afterAll(async () => {
    await postgres.stop();
    await folder.remove();
  });

  it('should return only 503 or correct responses, and recover', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    const kinds = [
      { clients: 8, route: 'GET /v1/models', token: key, healthy: 200 },
      { clients: 1, route: 'GET /v1/models', token: generateApiKey(), healthy: 401 },
      { clients: 1, route: 'GET /api-keys', token: member.token, healthy: 200 },
    ].map((kind) => ({ ...kind, seen: new Set<number>(), latest: new Set<number>() }));
    let isOver = false;

    const sendRequests = async ({ route, token, seen, latest }: (typeof kinds)[number]) => {
      while (!isOver) {
        const { status } = await call(service.url, route, { token });
        for (const statuses of [seen, latest]) statuses.add(status);
      }
    };
    const load = kinds.flatMap((kind) => Array.from({ length: kind.clients }, () => sendRequests(kind)));
    /** Waits until each kind of request gets this status. */
    const waitForStatus = async (statusOf: (kind: (typeof kinds)[number]) => number) => {
      for (const { latest } of kinds) latest.clear();
      await waitFor(() => kinds.every((kind) => kind.latest.has(statusOf(kind))));
    };

    try {
      await waitForStatus(({ healthy }) => healthy);
      for (let outage = 0; outage < 2; outage++) {
        await postgres.stop();
        await waitForStatus(() => 503);
        expect((await call(service.url, 'GET /health/ready')).status).toBe(503);
        expect((await call(service.url, 'GET /health/live')).status).toBe(200);
        const rejected = await call(service.url, 'GET /v1/models', { token: key });
        expect(rejected.status).toBe(503);
        expect(rejected.headers.get('retry-after')).toBe('1');
        expect(rejected.body).toMatchObject({ error: { type: 'server_error', code: 'database_unavailable' } });

        for (const route of ['POST /auth/sign-in', 'POST /auth/refresh', 'POST /auth/sign-out']) {
          const body = route.endsWith('sign-in') ? { email: 'ada@example.com', password: 'a password' } : undefined;
          const headers = withRefreshToken(member.refreshToken);
          expect((await call(service.url, route, { body, headers })).status).toBe(503);
        }

        postgres = await startEmbeddedPostgres(folder.path);
        await waitForStatus(({ healthy }) => healthy);
      }
    } finally {
      isOver = true;
    }
    await Promise.all(load);

    const logged = service.logLines.map((line) => JSON.parse(line) as { msg: string; err?: unknown });
    const began = logged.filter(({ msg }) => msg.startsWith('The database is unavailable'));
    // If the second outage follows within a second, it's the same for the log.
    expect([1, 2]).toContain(began.length);
    expect(began[0]).toMatchObject({ level: 50, requestId: expect.any(String) as string });
    expect(began[0]).not.toHaveProperty('err');
    // The database is used until the log says that it's back.
    const ended = await waitForLog(service, 'The database is available again.', began.length, key);
    const failedRequests = ended.reduce((sum, line) => sum + line.failedRequests, 0);
    const rejected = logged.filter((line) => line.msg === 'request' && 'status' in line && line.status === 503);
    expect(failedRequests).toBe(rejected.length);
    expect(failedRequests).toBeGreaterThan(100);

    // If there is an unexpected error, the failure shows it.
    expect(service.logLines.filter((line) => line.includes('Something went wrong'))).toEqual([]);
    expect(kinds.map(({ seen }) => [...seen].sort())).toEqual(kinds.map(({ healthy }) => [healthy, 503]));
    expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
  });
});
