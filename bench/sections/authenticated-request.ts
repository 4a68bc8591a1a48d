import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import { median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import { comparedPaths } from '../servers/bench-config.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { measureThroughput, type Throughput } from '../throughput.js';

const connections = 64;
const rounds = 7;

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  bare: new URL('../servers/bare-fastify.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
  measured: new URL('../servers/keycard.js', import.meta.url),
};

type Contender = 'bare' | 'public' | 'service' | 'measured' | 'typeorm';

/** Measures the cost of verifying a request's key, and of metrics. */
export function measureAuthenticatedRequest({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, bare, service, measured }) => {
    const keys = await insertKnownKeys(client);
    const requestsTo = (path: string) => keys.map((key) => ({ path, headers: { authorization: `Bearer ${key}` } }));
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const withMetrics = await measured.run<Listening>({ ...settings, hasMetrics: true });
    const models = requestsTo('/v1/models');
    const throughput = await measureThroughput<Contender>(generator, {
      loads: {
        bare: { url: (await bare.run<Listening>({})).url, requests: models },
        public: { url, requests: requestsTo(comparedPaths.public) },
        service: { url, requests: models },
        measured: { url: withMetrics.url, requests: models },
        typeorm: { url, requests: requestsTo(comparedPaths.typeorm) },
      },
      processes: {
        contenders: { service: service.pid, measured: measured.pid },
        postmaster: await findPostmaster(client),
      },
      ...{ connections, rounds },
    });
    return [...toRows(throughput), ...metricsRows(throughput)];
  });
}

function toRows({ figures }: Throughput<Contender>): Row[] {
  const row = (other: 'bare' | 'public' | 'typeorm', name: string, explanation: string, min: number) =>
    ratioRow(
      {
        what: `Authenticated GET /v1/models, ${connections} connections`,
        measured: quantity(median(figures.service), 'requests/s'),
        against: `${name}: ${quantity(median(figures[other]), 'requests/s')}`,
        explanation,
      },
      medianRatio(figures.service, figures[other]),
      { min },
    );
  return [
    row(
      'public',
      'route without authentication',
      'The service, which looks up the key of each request among all keys, against a route of the same service that returns the same without a key; both log each request (`LOG_LEVEL=info`, to `/dev/null`) and receive the same requests.',
      0.65,
    ),
    row(
      'bare',
      'bare Fastify',
      'The same against Fastify alone, which returns the same JSON without checking or logging anything.',
      0.45,
    ),
    row(
      'typeorm',
      'TypeORM query each',
      'The same against a route of the same service that finds the key with a TypeORM repository on each request.',
      4,
    ),
  ];
}

/** Processor time, because a difference of 3 % disappears in the noise of throughput. */
function metricsRows({ cpu }: Throughput<Contender>): Row[] {
  const [service, measured] = [cpu.perRequest('service'), cpu.perRequest('measured')];
  const ratio = cpu.ratio('measured', 'service');
  if (service === undefined || measured === undefined || ratio === undefined) return [];
  const comparison = {
    what: `CPU time of GET /v1/models with METRICS_PORT, ${connections} connections`,
    measured: quantity(measured.own, 'µs'),
    against: `without: ${quantity(service.own, 'µs')}`,
    explanation: 'The same requests to a second process that collects metrics, without PostgreSQL.',
  };
  return [ratioRow(comparison, ratio, { max: 1.03 })];
}
