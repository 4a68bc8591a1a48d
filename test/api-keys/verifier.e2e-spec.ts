import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import { connectionOf, type DatabaseConnection } from '../../src/config/database-connection.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const verifierOf = (database: DatabaseConnection) =>
  new ApiKeyVerifierService({ database } as ServiceConfig, new DatabaseHistory({ database }));

const unavailable = { code: 'database-unavailable', headers: { 'retry-after': '1' } };

describe('The API key verifier', () => {
  const service = useTestApp();
  let verifier: ApiKeyVerifierService;
  beforeAll(() => {
    verifier = service.app.get(ApiKeyVerifierService);
  });

  it('should return its own key to each of many concurrent callers', async () => {
    const member = await createMember(service);
    const keys = await Promise.all(Array.from({ length: 30 }, () => createApiKey(service, member)));
    const callers = Array.from(
      { length: 3000 },
      (_, number) => keys[number % 40] ?? { id: undefined, key: generateApiKey() },
    );
    const verified = await Promise.all(callers.map(({ key }) => verifier.verify(key)));
    expect(verified.map((found) => found?.id)).toEqual(callers.map(({ id }) => id));
    expect(new Set(verified.map((found) => found?.organizationId))).toEqual(
      new Set([member.organizationId, undefined]),
    );
  });

  it('should reject malformed keys without a query, even while the database is down', async () => {
    const away = verifierOf({ ...service.database, host: '127.0.0.1', port: 1 });
    expect(await away.verify('kc_malformed')).toBeUndefined();
    await expect(away.verify(generateApiKey())).rejects.toMatchObject(unavailable);
  });

  it('should return 503 when the database is slow, bound its queue and recover', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('lock table api_keys in access exclusive mode');
    const calls = Array.from({ length: 12_000 }, () => verifier.verify(key));
    const outcomes = await Promise.allSettled(calls);
    await blocker.rollbackTransaction();
    await blocker.release();

    const codes = outcomes.map((outcome) => {
      return outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'accepted';
    });
    expect(codes).not.toContain('accepted');
    expect(codes.filter((code) => code === 'database-unavailable').length).toBeGreaterThanOrEqual(10_000);
    expect(codes.filter((code) => code === 'overloaded').length).toBeGreaterThanOrEqual(1000);
    expect(await verifier.verify(key)).toBeDefined();
  });
});

describe('The API key verifier with a server that accepts connections and stays silent', () => {
  let server: Server;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('should return 503 and drop the connection', async () => {
    const { port } = server.address() as AddressInfo;
    const database = connectionOf(`postgresql://keycard@127.0.0.1:${port}/keycard`);
    const verifier = verifierOf(database);
    await expect(verifier.verify(generateApiKey())).rejects.toMatchObject(unavailable);
    await verifier.onApplicationShutdown();
    expect(sockets.size).toBe(1);
  });
});
