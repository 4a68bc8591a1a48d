import pg from 'pg';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { waitFor } from '../setup/wait-for.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { useTestApp } from '../setup/use-test-app.js';

/** More than the connections in the pool. */
const requestCount = 30;
const maxWaitMilliseconds = 20_000;

const waitingForLock = `
  select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;

let database: TestDatabase;
let proxy: DatabaseProxy;
let member: Member;

const service = useTestApp(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.open(database.connection);
  return { database: proxy.connection };
});
beforeAll(async () => {
  member = await createMember(service);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

const listKeys = () => call(service.url, 'GET /api-keys', { token: member.token });
const isReady = async () => (await call(service.url, 'GET /health/ready')).status === 200;

/** Returns the response and its duration. */
async function timed(request: () => Promise<CallResponse>): Promise<CallResponse & { milliseconds: number }> {
  const start = performance.now();
  const response = await request();
  return { ...response, milliseconds: performance.now() - start };
}

describe('While the database connection is silent, Keycard', () => {
  afterEach(async () => {
    proxy.resume();
    await waitFor(async () => (await isReady()) && (await listKeys()).status === 200);
  });

  it('should return 503 to every request within seconds, and recover', async () => {
    const { key } = await createApiKey(service, member);
    // Fills the pool, so that requests find existing connections, new ones, and none.
    await Promise.all(Array.from({ length: requestCount }, listKeys));
    proxy.silence();
    const refreshToken = { cookie: `keycard_refresh=${member.refreshToken}` };
    const responses = await Promise.all([
      ...Array.from({ length: requestCount }, () => timed(listKeys)),
      timed(() => call(service.url, 'POST /api-keys', { token: member.token, body: { name: 'Key' } })),
      timed(() => call(service.url, 'POST /auth/refresh', { headers: refreshToken })),
      timed(() => call(service.url, 'GET /v1/models', { token: key })),
      timed(() => call(service.url, 'GET /v1/key', { token: key })),
      timed(() => call(service.url, 'GET /health/ready')),
    ]);
    for (const { status, headers, milliseconds } of responses) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(milliseconds).toBeLessThan(maxWaitMilliseconds);
    }
    // New connections are silent, too.
    expect((await timed(listKeys)).status).toBe(503);
    expect(service.logLines.filter((line) => line.includes('Something went wrong'))).toEqual([]);
  });

  it('should never commit a change that was reported as failed', async () => {
    const other = await createMember(service);
    const rename = () =>
      call(service.url, 'PATCH /organizations/current', { token: other.token, body: { name: 'Renamed in silence' } });
    const blocker = new pg.Client(database.connection);
    await blocker.connect();
    // The change succeeds, but its audit event waits for this lock.
    await blocker.query('begin; lock table audit_events in share mode');
    const renamed = rename();
    await waitFor(async () => (await blocker.query(waitingForLock)).rowCount === 1);
    proxy.silence();
    await blocker.query('commit');
    await blocker.end();
    expect((await renamed).status).toBe(503);

    proxy.resume();
    const create = () => call(service.url, 'POST /api-keys', { token: member.token, body: { name: 'Next borrower' } });
    await waitFor(async () => (await create()).status === 201);
    await Promise.all(Array.from({ length: requestCount }, create));
    const { text } = await call(service.url, 'GET /organizations', { token: other.token });
    expect(text).toContain(other.organizationId);
    expect(text).not.toContain('Renamed in silence');
  });
});

describe('With more requests than database connections, Keycard', () => {
  it('should return 503 with Retry-After while the roles are locked', async () => {
    // An outage is logged when it begins, so the one before must be over.
    const countLines = (text: string) => service.logLines.filter((line) => line.includes(text)).length;
    const outages = () => countLines('The database is unavailable') - countLines('The database is available again');
    await waitFor(async () => (await listKeys()).status === 200 && outages() === 0);
    const blocker = new pg.Client(database.connection);
    await blocker.connect();
    await blocker.query('begin; lock table roles');
    const listRoles = () => timed(() => call(service.url, 'GET /roles', { token: member.token }));
    // Too many to wait for a connection one after the other.
    const responses = await Promise.all(Array.from({ length: 2 * requestCount }, listRoles));
    await blocker.query('rollback');
    await blocker.end();
    for (const { status, headers, milliseconds } of responses) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(milliseconds).toBeLessThan(maxWaitMilliseconds);
    }
    // PostgreSQL gave up waiting first, so that the connections could be kept.
    expect(service.logLines.join('')).toContain('"code":"55P03"');
    expect((await listRoles()).status).toBe(200);
  });
});
