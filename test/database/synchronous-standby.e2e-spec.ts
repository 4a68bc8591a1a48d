import pg from 'pg';
import { hashPassword } from '../../src/auth/password.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { waitFor } from '../setup/wait-for.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { useTestApp } from '../setup/use-test-app.js';

const email = 'ada@example.com';
const password = 'correct horse battery';
/** More than the connections in the pool. */
const writeCount = 20;
/** Six of the pool's connections may wait; the others serve reads. The database's history continues on its own. */
const mostWaitingCommits = 7;

describe('While commits wait for a missing synchronous standby, Keycard', () => {
  let folder: TemporaryFolder;
  let postgres: EmbeddedPostgres;
  let operator: pg.Client;
  let member: Member;

  const service = useTestApp(async () => {
    folder = await makeTemporaryFolder();
    postgres = await startEmbeddedPostgres(folder.path);
    await migrate(postgres.connection);
    operator = new pg.Client(postgres.connection);
    await operator.connect();
    await operator.query('set synchronous_commit = local');
    return { database: postgres.connection };
  });
  beforeAll(async () => {
    member = await createMember(service, { email, passwordHash: await hashPassword(password) });
  });
  afterAll(async () => {
    await requireStandby('');
    await operator.end();
    await postgres.stop();
    await folder.remove();
  });
  beforeEach(async () => {
    await requireStandby('missing');
    await waitFor(async () => (await create()).status === 503);
  });
  afterEach(async () => {
    await requireStandby('');
    await waitFor(async () => (await create()).status === 201);
  });

  async function requireStandby(name: string): Promise<void> {
    await operator.query(`alter system set synchronous_standby_names = '${name}'`);
    await operator.query('select pg_reload_conf()');
  }
  const create = () => call(service.url, 'POST /api-keys', { token: member.token, body: { name: 'Key' } });
  const remove = (id: string) => call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
  const signIn = () => call(service.url, 'POST /auth/sign-in', { body: { email, password } });
  const useKey = (key: string) => call(service.url, 'GET /v1/models', { token: key });
  const liveKey = async () => {
    await requireStandby('');
    await waitFor(async () => (await create()).status === 201);
    const created = await createApiKey(service, member);
    await requireStandby('missing');
    await waitFor(async () => (await create()).status === 503);
    return created;
  };

  it('should return 503 for changes within seconds, and keep serving reads, sign-in and readiness', async () => {
    const { id, key } = await liveKey();
    const writes = Promise.all([remove(id), ...Array.from({ length: writeCount }, create)]);
    const healthy = async () => {
      for (const route of ['GET /api-keys', 'GET /roles', 'GET /members', 'GET /auth/me', 'GET /audit-events']) {
        expect((await call(service.url, route, { token: member.token })).status).toBe(200);
      }
      expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
      expect((await useKey(key)).status).toBe(200);
      expect((await signIn()).status).toBe(200);
      const headers = withRefreshToken(refreshTokenOf(await signIn()) ?? '');
      expect((await call(service.url, 'POST /auth/refresh', { headers })).status).toBe(200);
    };
    await healthy();
    for (const { status, headers } of await writes) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
    }
    await healthy();
    // Giving up on a commit doesn't end it, so its connection isn't replaced by another.
    const { rowCount } = await operator.query(`select from pg_stat_activity where wait_event = 'SyncRep'`);
    expect(rowCount).toBeLessThanOrEqual(mostWaitingCommits);

    // The deletion still takes effect once a standby confirms it.
    await requireStandby('');
    await waitFor(async () => (await useKey(key)).status === 401);
    expect((await remove(id)).status).toBe(404);
  });

  it('should not report a change as done if the wait for the standby is canceled', async () => {
    const { id } = await liveKey();
    const removed = remove(id);
    const cancel = `
      select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and xact_start > now() - interval '4 seconds'`;
    await waitFor(async () => (await operator.query(cancel)).rowCount !== 0);
    const { status, body } = await removed;
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'database-unavailable',
      detail: expect.stringContaining('confirmed') as string,
    });
  });
});
