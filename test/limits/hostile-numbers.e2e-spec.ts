import { DataSource } from 'typeorm';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useRawClients } from '../setup/raw-client.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp({ config: { trustProxy: true } });
const connect = useRawClients();
let honest: CreatedKey;
let hostile: CreatedKey;

beforeEach(async () => {
  [honest, hostile] = [
    await createApiKey(service, await createMember(service)),
    await createApiKey(service, await createMember(service)),
  ];
});

const rounds = 3;
/** How many of the requests have their key verified, at least. */
const verifiedHeaders = 6;
const hostileHeaders = [
  'Content-Length: 18446744073709551615',
  'Content-Length: 18446744073709551616',
  'Content-Length: 9223372036854775807',
  'Content-Length: 9007199254740993',
  'Content-Length: 000000000000000000000000000018446744073709551615',
  'Content-Length: -1',
  'Content-Length: 1e21',
  'Content-Length: NaN',
  'Transfer-Encoding: chunked\r\nX-Forwarded-For: ","10.0.0.1',
  'Content-Length: 2\r\nX-Forwarded-For: 10.0.0.1"}, {null',
  'Content-Length: 2\r\nX-Request-Id: \xff\xfe',
  'Content-Length: 2\r\nUser-Agent: \xed\xa0\x80',
];

/** Sends only the head of a request, and returns the status of the response. */
async function sendHead(route: string, key: string, header: string): Promise<number> {
  const client = await connect(service);
  const head = [`POST ${route} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, header];
  await client.write(Buffer.from([...head, 'Content-Type: application/json', '', ''].join('\r\n'), 'latin1'));
  const { status } = await client.response();
  client.destroy();
  return status;
}

/** Makes requests wait for their key, until the returned function is called. */
async function blockKeys(): Promise<() => Promise<void>> {
  const blocker = service.app.get(DataSource).createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('lock table api_keys in access exclusive mode');
  return async () => {
    await blocker.rollbackTransaction();
    await blocker.release();
  };
}

const embed = () =>
  call(service.url, 'POST /v1/embeddings', {
    token: honest.key,
    body: { model: 'universal-sentence-encoder-lite', input: 'A text' },
  });

describe('Requests of other tenants', () => {
  it.each([
    ['a made-up key', () => generateApiKey()],
    ['a disabled key with limits', () => hostile.key],
  ])('should all succeed while %s sends absurd headers', async (_title, chooseKey) => {
    const attackingKey = chooseKey();
    for (const { id } of [honest, hostile]) {
      await setLimits(service, { keyId: id }, [{ metric: 'tokens', per: 'day', max: 1e9 }]);
    }
    await service.query('update api_keys set enabled = false where id = $1', [hostile.id]);
    // The first use reveals that the key has limits.
    expect((await embed()).status).toBe(200);
    const { batches } = service.app.get(ApiKeyVerifierService);
    for (let round = 0; round < rounds; round++) {
      const unblock = await blockKeys();
      const first = embed();
      await waitFor(async () => (await countLockWaits(service)) > 0);
      const attacks = hostileHeaders.flatMap((header) => [
        sendHead('/v1/embeddings', attackingKey, header),
        sendHead('/v1/ocr', attackingKey, header),
      ]);
      const others = Array.from({ length: 10 }, embed);
      // All of them share the next batch.
      await waitFor(() => batches.waitingCount >= others.length + verifiedHeaders);
      await unblock();
      const responses = await Promise.all([first, ...others]);
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      for (const status of await Promise.all(attacks)) expect([400, 401, 403]).toContain(status);
    }
    const errors = service.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
    expect(errors).toEqual([]);
  });
});
