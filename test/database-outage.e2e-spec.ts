import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';
import { generateApiKey } from '../src/api-keys/api-key.token.js';
import { createApiKey } from './factories/api-keys.js';
import { createMember } from './factories/organizations.js';
import { call } from './setup/call.js';
import { withRefreshToken } from './setup/cookies.js';
import { makeTemporaryFolder, type TemporaryFolder } from './setup/temporary-folder.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

describe('While the database is stopped and started under load', () => {
  let folder: TemporaryFolder;
  let postgres: EmbeddedPostgres;
  let service: TestApp;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    postgres = await startEmbeddedPostgres(folder.path);
    await migrate(postgres.connection);
    service = await startTestApp({ database: postgres.connection });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
    await folder.remove();
  });

  it('should answer 503 and nothing wrong meanwhile, and recover by itself', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    const seen = { valid: new Set<number>(), unknown: new Set<number>(), management: new Set<number>() };
    const validAnswers: number[] = [];
    let isOver = false;

    const keepAsking = async (route: string, token: string, statuses: Set<number>, log: number[] = []) => {
      while (!isOver) {
        const { status } = await call(service.url, route, { token });
        statuses.add(status);
        log.push(status);
      }
    };
    const load = [
      ...Array.from({ length: 8 }, () => keepAsking('GET /v1/models', key, seen.valid, validAnswers)),
      keepAsking('GET /v1/models', generateApiKey(), seen.unknown),
      keepAsking('GET /api-keys', member.token, seen.management),
    ];
    const until = async (condition: () => boolean) => {
      while (!condition()) await call(service.url, 'GET /health/live');
    };

    await until(() => validAnswers.includes(200));
    for (let outage = 0; outage < 2; outage++) {
      await postgres.stop();
      validAnswers.length = 0;
      await until(() => validAnswers.includes(503));
      expect((await call(service.url, 'GET /health/ready')).status).toBe(503);
      expect((await call(service.url, 'GET /health/live')).status).toBe(200);
      const refused = await call(service.url, 'GET /v1/models', { token: key });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.body).toMatchObject({ error: { type: 'server_error', code: 'database_unavailable' } });

      for (const route of ['POST /auth/sign-in', 'POST /auth/refresh', 'POST /auth/sign-out']) {
        const body = route.endsWith('sign-in') ? { email: 'ada@example.com', password: 'a password' } : undefined;
        const headers = withRefreshToken(member.refreshToken);
        expect((await call(service.url, route, { body, headers })).status).toBe(503);
      }

      postgres = await startEmbeddedPostgres(folder.path);
      validAnswers.length = 0;
      await until(() => validAnswers.includes(200));
    }
    isOver = true;
    await Promise.all(load);

    // Names the culprit, should anything else than an absent database ever be the answer.
    expect(service.logLines.filter((line) => line.includes('Something went wrong'))).toEqual([]);
    expect([...seen.valid].sort()).toEqual([200, 503]);
    expect([...seen.unknown].sort()).toEqual([401, 503]);
    expect([...seen.management].sort()).toEqual([200, 503]);
    expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
  });
});
