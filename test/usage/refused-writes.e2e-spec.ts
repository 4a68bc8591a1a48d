import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../src/auth/password.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useGateway } from '../setup/gateway.js';
import { blockUsage, isRecorderBlocked, type RecordedUsage } from '../setup/recorded-usage.js';
import { waitFor } from '../setup/wait-for.js';
import { administrate } from '../setup/test-database.js';
import { findTestServer } from '../setup/test-server.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';

const body = JSON.stringify({ model: 'small', input: 'Hello' });
const password = 'correct horse battery';

let upstream: Upstream;
let passwordHash: string;

const service = useGateway(async () => {
  upstream = await startUpstream();
  passwordHash = await hashPassword(password);
  return [upstreamModel([{ baseUrl: upstream.baseUrl }])];
});
afterAll(() => upstream.stop());

const embed = () => service.embed(body);
const readiness = () => call(service.url, 'GET /health/ready');
/** Returns the recorded usage of the gateway's key. */
async function recorded(): Promise<RecordedUsage> {
  const [row] = await service.query<RecordedUsage>(
    `select coalesce(sum(requests), 0)::int as requests, coalesce(sum(failures), 0)::int as failures,
       coalesce(sum(input_tokens), 0)::int as "inputTokens", coalesce(sum(pages), 0)::int as pages from usage`,
  );
  return row ?? { requests: 0, failures: 0, inputTokens: 0, pages: 0 };
}
const isHealthy = async () => (await readiness()).status === 200 && (await embed()).status === 200;

/** Makes new connections read-only, or writable again, and closes existing ones. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const { connection } = findTestServer();
  const [row] = await service.query<{ name: string }>('select current_database() as name');
  await administrate(connection, `alter database ${row?.name} set default_transaction_read_only = ${isReadOnly}`);
  await administrate(
    connection,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${row?.name}'`,
  );
}

async function setDiskFull(isFull: boolean): Promise<void> {
  await service.query('drop function if exists fail_as_full cascade');
  if (!isFull) return;
  await service.query(`
    create function fail_as_full() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$`);
  for (const table of ['usage', 'sessions', 'api_keys']) {
    await service.query(
      `create trigger full_disk before insert or update on ${table} for each statement execute function fail_as_full()`,
    );
  }
}

describe.each([
  ['is read-only', setReadOnly, 'read-only'],
  ['has a full disk', setDiskFull, 'disk is full'],
])('While the database %s, Keycard', (_title, setRejecting, reason) => {
  afterEach(async () => {
    await setRejecting(false);
    await waitFor(isHealthy);
  });

  it('should reject requests before any upstream work once a usage write has failed', async () => {
    await setRejecting(true);
    const before = upstream.requests.length;
    expect((await embed()).status).toBe(503);
    expect(upstream.requests.length).toBe(before + 1);
    for (let request = 0; request < 10; request++) {
      const rejected = await embed();
      expect(rejected.status).toBe(503);
      expect(rejected.headers.get('retry-after')).toBe('1');
      expect(rejected.body).toMatchObject({ error: { code: 'database_unavailable' } });
    }
    expect(upstream.requests.length).toBe(before + 1);
    const { status, body } = await readiness();
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'database-unavailable', detail: expect.stringContaining(reason) as string });
    expect((await call(service.url, 'GET /v1/models', { token: 'kc_wrong' })).status).toBe(401);
  });

  it('should recover without a restart and count the request whose usage was rejected', async () => {
    const before = await recorded();
    await setRejecting(true);
    expect((await embed()).status).toBe(503);
    await setRejecting(false);
    await waitFor(async () => (await readiness()).status === 200);
    expect(await recorded()).toEqual({
      ...before,
      requests: before.requests + 1,
      failures: before.failures + 1,
      inputTokens: before.inputTokens + 8,
    });
    expect((await embed()).status).toBe(200);
  });

  it('should return 503 for sign-in and key creation', async () => {
    const email = `${randomUUID()}@example.com`;
    const { token } = await createMember(service, { email, passwordHash });
    const signIn = () => call(service.url, 'POST /auth/sign-in', { body: { email, password } });
    await setRejecting(true);
    for (const rejected of [
      await signIn(),
      await call(service.url, 'POST /api-keys', { token, body: { name: 'Key' } }),
    ]) {
      expect(rejected.status).toBe(503);
      expect(rejected.headers.get('retry-after')).toBe('1');
    }
  });
});

describe('While a usage write hangs, Keycard', () => {
  it('should reject requests before any upstream work, and recover once writes succeed', async () => {
    const unblock = await blockUsage(service);
    const before = upstream.requests.length;
    const { failures } = await recorded();
    try {
      expect((await embed()).status).toBe(503);
      expect((await embed()).status).toBe(503);
      expect(upstream.requests.length).toBe(before + 1);
      expect((await readiness()).status).toBe(503);
    } finally {
      await unblock();
    }
    await waitFor(isHealthy);
    // Keycard records a request as failed if PostgreSQL canceled its write, and reports it if the outcome is unknown.
    const isRecorded = (await recorded()).failures === failures + 1;
    const isReported = service.logLines.join('').includes('"requests":1,"inputTokens":8,');
    expect([isRecorded, isReported]).toContain(true);
  });

  it('should keep rejecting requests if its outcome is unknown', async () => {
    const unblock = await blockUsage(service);
    const before = upstream.requests.length;
    try {
      const interrupted = embed();
      await waitFor(() => isRecorderBlocked(service));
      await service.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'keycard usage recorder' and datname = current_database()`,
      );
      expect((await interrupted).status).toBe(503);
      // The probe waits for the same lock.
      await waitFor(() => isRecorderBlocked(service));
      expect((await embed()).status).toBe(503);
      expect(upstream.requests.length).toBe(before + 1);
    } finally {
      await unblock();
    }
    await waitFor(isHealthy);
  });
});
