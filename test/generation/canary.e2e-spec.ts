import { randomBytes } from 'node:crypto';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { type Collector, startCollector } from '../setup/collector.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { type GenerationGateway, generationModel, startGenerationGateway } from '../setup/generation-gateway.js';
import { generationBody, sendGeneration } from '../setup/generation-request.js';
import { dialects } from '../setup/generation-upstream/request.js';
import { nowhere } from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';
import { canaryModels, canaryRequests } from './canary/requests.js';

const canary = `canary${randomBytes(8).toString('hex')}`;
const atOnce = 30;
const limits = { firstByteSeconds: 0.5, idleSeconds: 0.5, timeoutSeconds: 2 };

/** The canary as text, and in the encodings that it could be stored in; cut off, too. */
const traces = [canary.slice(0, -4), Buffer.from(canary.slice(0, -4)).toString('hex')].concat(
  [0, 1, 2].map((shift) => {
    // Base64 of the bytes depends on where they start, so the edges are left out.
    return Buffer.from(' '.repeat(shift) + canary)
      .toString('base64')
      .slice(4, -8);
  }),
);

describe('A prompt and its answer', () => {
  let collector: Collector;
  let gateway: GenerationGateway;
  let places: Record<string, string>;
  const seen: string[] = [];

  beforeAll(async () => {
    collector = await startCollector();
    gateway = await startGenerationGateway({
      models: ({ baseUrl }) => [
        ...['mini', ...canaryModels].map((id) => generationModel({ baseUrl, ...limits }, { id })),
        generationModel({ baseUrl: nowhere, ...limits }, { id: 'unreachable' }),
        generationModel({ baseUrl: nowhere, ...limits }, { id: 'falling-back', fallbacks: ['mini'] }),
      ],
      config: {
        metrics: { host: '127.0.0.1', port: 0 },
        otel: { exporterOtlpEndpoint: collector.url, exporterOtlpHeaders: {}, serviceName: 'keycard' },
      },
    });
    await sendAll();
    places = await collect();
  }, 300_000);
  afterAll(() => collector.stop());

  async function sendAll(): Promise<void> {
    const { url, apiKey, member } = gateway;
    const waiting = canaryRequests(canary);
    const work = async () => {
      for (let request = waiting.pop(); request !== undefined; request = waiting.pop()) {
        const { text } = await sendGeneration({ url, key: apiKey.key, ...request });
        seen.push(text);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const limited = await createApiKey(gateway, member);
    await setLimits(gateway, { keyId: limited.id }, [{ metric: 'tokens', per: 'day', max: 1 }]);
    for (const dialect of dialects) {
      const body = generationBody(dialect, 'mini', canary);
      for (const key of [limited.key, `kc_${canary.slice(6)}`]) await sendGeneration({ url, dialect, key, body });
    }
    const message = { role: 'user', content: canary };
    await fetch(`${url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey.key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mini', messages: [message] }),
    });
  }

  async function collect(): Promise<Record<string, string>> {
    const { app, url, upstream, member } = gateway;
    const { running } = app.get(ReservationsService);
    await waitFor(() => running.count === 0 && upstream.countOpen() === 0);
    const metrics = await (await fetch(app.get(MetricsService).url ?? '')).text();
    const authorization = `Bearer ${member.token}`;
    const models = await (await fetch(`${url}/models`, { headers: { authorization } })).text();
    // Failures are written a moment after their requests.
    const countFailures = async () => (await gateway.query('select 1 from usage where failures > 0')).length;
    await waitFor(async () => (await countFailures()) > 0);
    const database = await dumpDatabase(gateway);
    // Sends the spans that are left.
    await gateway.stop();
    return { log: gateway.logLines.join(''), database, metrics, models, traces: JSON.stringify(collector.spans) };
  }

  it('should reach the upstream and the client', () => {
    const received = gateway.upstream.requests.map(({ body }) => body.toString());
    expect(received.filter((text) => text.includes(canary)).length).toBeGreaterThan(200);
    expect(seen.filter((text) => text.includes(canary)).length).toBeGreaterThan(100);
  });

  it.each(['log', 'database', 'metrics', 'models', 'traces'])('should not appear in: %s', (name) => {
    const place = places[name] ?? '';
    for (const trace of traces) {
      const found = place.indexOf(trace);
      expect(found < 0 ? '' : place.slice(Math.max(0, found - 300), found + 100)).toBe('');
    }
  });

  it('should leave the usual traces of requests', () => {
    expect(places['log']).toContain('/v1/chat/completions');
    expect(places['metrics']).toContain('/v1/messages');
    expect(places['models']).toContain('"mini"');
    expect(places['traces']).toContain('mini');
    expect(places['database']).toContain(gateway.apiKey.id);
  });
});
