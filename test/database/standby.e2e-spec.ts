import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { hashApiKey } from '../../src/api-keys/api-key.token.js';
import { findLiveKeys } from '../../src/api-keys/live-keys.js';
import { checkDatabase } from '../../src/database/check-database.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { startGateway } from '../setup/gateway.js';
import { waitFor } from '../setup/wait-for.js';
import { startStandby, type Standby } from '../setup/standby.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useStarted } from '../setup/use-test-app.js';

const keyCount = 20;

describe('Behind a proxy that switches to a lagging standby, Keycard', () => {
  let folder: Record<'primary' | 'standby', TemporaryFolder>;
  let primary: EmbeddedPostgres;
  let standby: Standby;
  let proxy: DatabaseProxy;
  let upstream: Upstream;
  let member: Member;
  let deleted: CreatedKey[];
  /** A secret that was replaced and still works. */
  let previousSecret: string;

  const service = useStarted(async () => {
    folder = { primary: await makeTemporaryFolder(), standby: await makeTemporaryFolder() };
    primary = await startEmbeddedPostgres(folder.primary.path);
    await migrate(primary.connection);
    proxy = await DatabaseProxy.open(primary.connection);
    upstream = await startUpstream();
    return startGateway([upstreamModel([{ baseUrl: upstream.baseUrl }])], proxy.connection);
  });
  beforeAll(async () => {
    member = await createMember(service);
    deleted = await Promise.all(Array.from({ length: keyCount }, () => createApiKey(service, member)));
    previousSecret = await rotate(await createApiKey(service, member));
    const source = { dataDirectory: folder.primary.path, connection: primary.connection };
    standby = await startStandby(source, folder.standby.path, '30s');
    for (const { id } of deleted) {
      expect((await call(service.url, `DELETE /api-keys/${id}`, { token: member.token })).status).toBe(200);
    }
  });
  afterAll(async () => {
    await upstream.stop();
    await proxy.close();
    await standby.stop();
    await primary.stop();
    await folder.primary.remove();
    await folder.standby.remove();
  });
  afterEach(async () => {
    proxy.switchTo(primary.connection);
    proxy.cut();
    await waitFor(async () => (await call(service.url, 'GET /health/ready')).status === 200);
  });

  /** Replaces the secret of a key, and returns the previous one. */
  const rotate = async ({ id, key }: CreatedKey) => {
    const body = { gracePeriodSeconds: 3600 };
    expect((await call(service.url, `POST /api-keys/${id}/rotate`, { token: member.token, body })).status).toBe(200);
    return key;
  };
  const embed = (key: string) =>
    call(service.url, 'POST /v1/embeddings', { token: key, body: { model: 'small', input: 'Hello' } });

  it('should accept no deleted key, send nothing upstream and fail its readiness check', async () => {
    proxy.switchTo(standby.connection);
    proxy.cut();
    const before = upstream.requests.length;
    for (const { key } of [...deleted, ...deleted, { key: service.key }]) {
      const { status, headers, body } = await embed(key);
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(body).toMatchObject({ error: { code: 'database_unavailable' } });
    }
    expect(upstream.requests.length).toBe(before);
    expect((await call(service.url, 'GET /health/ready')).status).toBe(503);
    expect((await call(service.url, 'GET /api-keys', { token: member.token })).status).toBe(503);
    const credentials = { email: 'ada@example.com', password: 'a password' };
    expect((await call(service.url, 'POST /auth/sign-in', { body: credentials })).status).toBe(503);
  });

  it('should accept only live keys again once the proxy switches back', async () => {
    proxy.switchTo(standby.connection);
    proxy.cut();
    await waitFor(async () => (await embed(service.key)).status === 503);
    proxy.switchTo(primary.connection);
    await waitFor(async () => (await embed(service.key)).status === 200);
    for (const { key } of deleted) expect((await embed(key)).status).toBe(401);
  });

  it('should return no keys from the verification query itself', async () => {
    const hashes = [service.key, previousSecret, ...deleted.map(({ key }) => key)].map(hashApiKey);
    const rowsOf = async (connection: DatabaseConnection) => {
      const client = new pg.Client(connection);
      await client.connect();
      const { rows } = await client.query<unknown[]>({
        text: findLiveKeys.text,
        values: findLiveKeys.bind({ hashes, needsName: true, beat: null, token: null }),
        rowMode: 'array',
      });
      const { rowCount } = await client.query('select from api_keys where secret_hash = any($1)', [hashes]);
      await client.end();
      return { rows, stored: rowCount };
    };
    const refusal = [null, null, null, 'standby', ...Array<null>(6).fill(null)];
    expect(await rowsOf(standby.connection)).toEqual({ rows: [refusal], stored: keyCount + 1 });
    const row = (usesPrevious: true | null): unknown[] => [
      expect.any(String),
      ...Array<unknown>(3).fill(expect.anything()),
      ...[true, null, null, null, usesPrevious, null],
    ];
    expect(await rowsOf(primary.connection)).toMatchObject({ rows: [row(null), row(true)], stored: 1 });
  });

  it('should refuse to start', async () => {
    await expect(checkDatabase(standby.connection)).rejects.toThrow(
      'DATABASE_URL: this server is a standby (read replica). Set DATABASE_URL to the primary.',
    );
  });
});
