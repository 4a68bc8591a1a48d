import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { waitFor } from '../setup/wait-for.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';

const keyCount = 5;

describe('Behind a proxy that keeps existing connections but opens new ones to another server, Keycard', () => {
  let database: TestDatabase;
  /** Two proxies to the same database. */
  let former: DatabaseProxy;
  let current: DatabaseProxy;
  let proxy: DatabaseProxy;
  let upstream: Upstream;
  let member: Member;
  let key: string;
  let deleted: CreatedKey[];

  const service = useTestApp(async () => {
    database = await createTestDatabase();
    former = await DatabaseProxy.open(database.connection);
    current = await DatabaseProxy.open(database.connection);
    proxy = await DatabaseProxy.open(former.connection);
    upstream = await startUpstream();
    const models = [upstreamModel([{ baseUrl: upstream.baseUrl }])];
    return { database: proxy.connection, config: { connectionMaxAgeSeconds: 1, models } };
  });
  beforeAll(async () => {
    member = await createMember(service);
    ({ key } = await createApiKey(service, member));
    deleted = await Promise.all(Array.from({ length: keyCount }, () => createApiKey(service, member)));
  });
  afterAll(async () => {
    for (const opened of [proxy, former, current]) await opened.close();
    await upstream.stop();
    await database.drop();
  });

  const useKey = async (token: string) => (await call(service.url, 'GET /v1/models', { token })).status;
  const isLive = async () => (await call(service.url, 'GET /api-keys', { token: member.token })).status === 200;

  const embed = async () => {
    const body = { model: 'small', input: 'a' };
    return (await call(service.url, 'POST /v1/embeddings', { token: key, body })).status;
  };

  it('should move every connection to the new server without accepting deleted keys', async () => {
    // Fills the pool. Verifying keys and recording usage have their own connections.
    await Promise.all(Array.from({ length: 20 }, isLive));
    expect(await useKey(key)).toBe(200);
    expect(await embed()).toBe(200);
    expect(former.connectionCount).toBeGreaterThan(2);

    proxy.switchTo(current.connection);
    for (const { id, key: token } of deleted) {
      expect((await call(service.url, `DELETE /api-keys/${id}`, { token: member.token })).status).toBe(200);
      expect(await useKey(token)).toBe(401);
    }
    await waitFor(async () => {
      expect(await useKey(key)).toBe(200);
      for (const { key: token } of deleted) expect(await useKey(token)).toBe(401);
      expect(await isLive()).toBe(true);
      return former.connectionCount === 0;
    });
    expect(await embed()).toBe(200);
    expect(current.connectionCount).toBeGreaterThanOrEqual(3);
  });
});
