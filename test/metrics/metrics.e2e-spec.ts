import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { metricsOf } from '../setup/promql.js';
import { nowhere, respondWithEmbeddings, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { useTestApp } from '../setup/use-test-app.js';

const embedded = 'universal-sentence-encoder-lite';
let upstream: Upstream;
let member: Member;
let key: CreatedKey;
const service = useTestApp(async () => {
  upstream = await startUpstream();
  const targets = [{ baseUrl: upstream.baseUrl, weight: 1 }];
  const models = [
    ...defaultModels(),
    upstreamModel(targets, { id: 'remote' }),
    upstreamModel([{ baseUrl: nowhere, weight: 1 }], { id: 'unreachable' }),
  ];
  return { config: { metrics: { host: '127.0.0.1', port: 0 }, models } };
});

beforeAll(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});
afterAll(() => upstream.stop());

const embed = (model: string, token = key.key) =>
  call(service.url, 'POST /v1/embeddings', { token, body: { model, input: 'red apples' } });
const metricsUrl = () => service.app.get(MetricsService).url ?? '';
const scrape = async () => (await fetch(metricsUrl())).text();
/** The value of a series, written as Prometheus does; 0 if it doesn't exist. */
const valueOf = async (series: string) => {
  const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
};
const requests = (route: string, status: number, method = 'POST') =>
  `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`;

describe('GET /metrics', () => {
  it('should count requests by method, route and status', async () => {
    const [before, rejected] = await Promise.all([
      valueOf(requests('/v1/embeddings', 200)),
      valueOf(requests('/v1/embeddings', 401)),
    ]);
    await embed(embedded);
    await embed(embedded, 'kc_unknown');
    expect(await valueOf(requests('/v1/embeddings', 200))).toBe(before + 1);
    expect(await valueOf(requests('/v1/embeddings', 401))).toBe(rejected + 1);
  });

  it('should group all requests to unknown URLs in one series', async () => {
    const before = await valueOf(requests('', 404, 'GET'));
    await fetch(`${service.url}/one-unknown-path`);
    await fetch(`${service.url}/another-unknown-path`);
    expect(await valueOf(requests('', 404, 'GET'))).toBe(before + 2);
    expect(await scrape()).not.toContain('unknown-path');
  });

  it('should add up what models have used', async () => {
    const tokens = await valueOf(`keycard_input_tokens_total{model="${embedded}"}`);
    const { body } = await embed(embedded);
    const { usage } = body as { usage: { prompt_tokens: number } };
    expect(await valueOf(`keycard_input_tokens_total{model="${embedded}"}`)).toBe(tokens + usage.prompt_tokens);
    expect(await valueOf(`keycard_model_requests_total{model="${embedded}",outcome="success"}`)).toBeGreaterThan(0);
    expect(await valueOf('keycard_engine_failed{engine="universal-sentence-encoder-lite"}')).toBe(0);
  });

  it('should show how upstreams respond, and whether their circuits are open', async () => {
    upstream.respond = respondWithEmbeddings();
    const { host } = new URL(upstream.baseUrl);
    await embed('remote');
    for (let attempt = 0; attempt < 6; attempt += 1) await embed('unreachable');
    const succeeded = `http_client_request_duration_seconds_count{server_address="${host}",outcome="success"}`;
    expect(await valueOf(succeeded)).toBe(1);
    const dead = new URL(nowhere).host;
    expect(await valueOf(`keycard_upstream_circuit_open{model="remote",server_address="${host}"}`)).toBe(0);
    expect(await valueOf(`keycard_upstream_circuit_open{model="unreachable",server_address="${dead}"}`)).toBe(1);
  });

  it('should count rejections by limits and failed sign-ins', async () => {
    const [limited, failures] = [
      await valueOf('keycard_limit_rejections_total'),
      await valueOf('keycard_sign_in_failures_total'),
    ];
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    expect([(await embed(embedded)).status, (await embed(embedded)).status]).toContain(429);
    await setLimits(service, { keyId: key.id }, []);
    await call(service.url, 'POST /auth/sign-in', {
      body: { email: 'nobody@example.com', password: 'a wrong password' },
    });
    expect(await valueOf('keycard_limit_rejections_total')).toBeGreaterThan(limited);
    expect(await valueOf('keycard_sign_in_failures_total')).toBe(failures + 1);
  });

  it('should have the same series after requests with more keys, and no part of a key in them', async () => {
    const seriesOf = (text: string) => text.match(/^\w+(\{.*\})?(?= )/gm);
    await embed(embedded);
    const before = seriesOf(await scrape());
    const others = await Promise.all(
      Array.from({ length: 3 }, async () => createApiKey(service, await createMember(service))),
    );
    for (const other of others) await embed(embedded, other.key);
    const text = await scrape();
    expect(seriesOf(text)).toEqual(before);
    for (const { id, key: plaintext } of [key, ...others]) {
      for (const secret of [id, plaintext, plaintext.slice(0, 8)]) expect(text).not.toContain(secret);
    }
  });

  it('should not be served on the port of the API', async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  it.each([
    ['POST', '/metrics', 405],
    ['GET', '/', 404],
  ])('should respond to %s %s with %i', async (method, path, status) => {
    expect((await fetch(new URL(path, metricsUrl()), { method })).status).toBe(status);
  });
});

/** Labels that Prometheus adds, or a histogram has. */
const addedLabels = ['instance', 'job', 'le'];

/** Returns the queries of the Grafana dashboard and of the alert rules. */
function readQueries(): string[] {
  const dashboard = z
    .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })) })
    .parse(JSON.parse(readFileSync('deploy/grafana/keycard.json', 'utf8')));
  const alerts = z
    .object({ groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })) })
    .parse(parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')));
  const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
  return [...targets, ...alerts.groups.flatMap(({ rules }) => rules)].map(({ expr }) => expr);
}

describe('The Grafana dashboard and the alert rules in deploy/', () => {
  it.each(readQueries())('should query only metrics and labels that exist: %s', async (query) => {
    const exposed = await scrape();
    const documented = readFileSync('docs/metrics.md', 'utf8');
    const used = metricsOf(query).filter(({ metric }) => metric !== 'up');
    for (const { metric, labels } of used) {
      const name = metric.replace(/_(bucket|count|sum)$/, '');
      expect(exposed).toMatch(new RegExp(`^# TYPE (${metric} |${name} histogram$)`, 'm'));
      const row = new RegExp(`^\\| \`${name}\` .*$`, 'm').exec(documented)?.[0] ?? '';
      for (const label of labels) if (!addedLabels.includes(label)) expect(row).toContain(`\`${label}\``);
    }
    expect(metricsOf(query)).not.toEqual([]);
  });
});
