import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { OpenConnections } from '../../src/common/http/open-connections.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const count = 2000;
const atOnce = 40;
const max = 1_000_000;

let upstream: Upstream;
let member: Member;
let key: CreatedKey;

const service = useTestApp(async () => {
  upstream = await startUpstream();
  const scans = upstreamModel([upstream], { id: 'scans', task: 'ocr' });
  return { config: { models: [...defaultModels(), upstreamModel([upstream]), scans] } };
});
beforeAll(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
  for (const owner of [{ keyId: key.id }, { organizationId: member.organizationId }]) {
    await setLimits(service, owner, [
      { metric: 'requests', per: 'day', max },
      { metric: 'tokens', per: 'day', max },
      { metric: 'pages', per: 'month', max },
    ]);
  }
});
afterAll(() => upstream.stop());

const document = `data:application/pdf;base64,${btoa('no document')}`;
const bodies = [
  ['POST /v1/embeddings', { model: 'universal-sentence-encoder-lite', input: 'A text of some tokens' }],
  ['POST /v1/embeddings', { model: 'small', input: ['A text', 'and another one'] }],
  ['POST /v1/embeddings', { model: 'unknown', input: 'A text' }],
  ['POST /v1/ocr', { model: 'tesseract', document: { document_url: document } }],
  ['POST /v1/ocr', { model: 'scans', document: { document_url: document } }],
  ['POST /v1/ocr/upload', {}],
  ['GET /v1/models', undefined],
  ['GET /v1/models/small', undefined],
  ['GET /v1/authorize', undefined],
] as const;

/** A request that is aborted. */
const someAbort = fc.record({
  route: fc.constantFrom(...bodies),
  /** How much of it is sent. */
  sent: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  /** When it's aborted after that. */
  milliseconds: fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat({ max: 40 })),
  /** Whether the client pipelines a second request. */
  isPipelined: fc.boolean(),
  /** Whether the client resets the connection instead of closing it. */
  isReset: fc.boolean(),
});
type Abort = typeof someAbort extends fc.Arbitrary<infer A> ? A : never;

async function abort({ route: [route, body], sent, milliseconds, isPipelined, isReset }: Abort): Promise<void> {
  const [method, path] = route.split(' ');
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = `${method} ${path} HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${key.key}\r\n`;
  const length = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${text.length}\r\n`;
  const request = `${head}${length}\r\n${text}`;
  const bytes = isPipelined ? request + request : request;
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) });
  // The service may reset connections as well.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.write(bytes.slice(0, Math.ceil(bytes.length * sent)), () => resolve());
  });
  await delay(milliseconds);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}

describe('2,000 requests that are aborted at random points', () => {
  it('should leave nothing reserved and nothing tracked', async () => {
    const aborts = fc.sample(someAbort, { numRuns: count, seed: 7 });
    await Promise.all(
      Array.from({ length: atOnce }, async (_, lane) => {
        for (let index = lane; index < count; index += atOnce) {
          const next = aborts[index];
          if (next !== undefined) await abort(next);
        }
      }),
    );
    const reservations = service.app.get(ReservationsService);
    const connections = OpenConnections.of(service.app.getHttpServer());
    await waitFor(() => connections.count === 0 && reservations.running.count === 0);
    const reserved = async (id: string) =>
      Object.values(await readCounters(service, id)).reduce((sum, [, amount]) => sum + amount, 0);
    await waitFor(async () => (await reserved(key.id)) + (await reserved(member.organizationId)) === 0);
    expect(reservations.running.count).toBe(0);
    const [requests = 0] = (await readCounters(service, key.id))['requests/day'] ?? [];
    expect(requests).toBeGreaterThan(count / 10);
    expect(requests).toBeLessThanOrEqual(2 * count);
  });
});
