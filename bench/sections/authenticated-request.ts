import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import { comparedPaths } from '../servers/bench-config.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const connections = 64;
const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 2;

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  bare: new URL('../servers/bare-fastify.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
  measured: new URL('../servers/keycard.js', import.meta.url),
};
const modelsPath = '/v1/models';

/** Measures the cost of verifying a request's key. */
export function measureAuthenticatedRequest({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(
    scripts,
    async ({ generator, bare: bareFastify, service: keycard, measured: keycardWithMetrics }) => {
      const keys = await insertKnownKeys(client);
      const settings: KeycardSettings = { database: connection };
      const { url } = await keycard.run<Listening>(settings);
      const withMetrics = await keycardWithMetrics.run<Listening>({ ...settings, hasMetrics: true });
      const contenders = {
        bare: loader(generator, keys, (await bareFastify.run<Listening>({})).url, modelsPath),
        public: loader(generator, keys, url, comparedPaths.public),
        service: loader(generator, keys, url, modelsPath),
        measured: loader(generator, keys, withMetrics.url, modelsPath),
        typeorm: loader(generator, keys, url, comparedPaths.typeorm),
      };
      for (const load of Object.values(contenders)) await load(warmUpSeconds);
      const { bare, public: open, service, measured, typeorm } = contenders;
      return toRows(
        await measureInRounds(rounds, {
          bare: () => bare(roundSeconds),
          public: () => open(roundSeconds),
          service: () => service(roundSeconds),
          measured: () => measured(roundSeconds),
          typeorm: () => typeorm(roundSeconds),
        }),
      );
    },
  );
}

function loader(generator: Child, keys: readonly string[], url: string, path: string) {
  const requests = keys.map((key) => ({ path, headers: { authorization: `Bearer ${key}` } }));
  return async (seconds: number) => {
    const load: Load = { url, connections, seconds, requests };
    return (await generator.run<LoadResult>(load)).requestsPerSecond;
  };
}

function toRows(figures: Record<'bare' | 'public' | 'service' | 'measured' | 'typeorm', number[]>): Row[] {
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
    ratioRow(
      {
        what: `GET /v1/models with METRICS_PORT, ${connections} connections`,
        measured: quantity(median(figures.measured), 'requests/s'),
        against: `without: ${quantity(median(figures.service), 'requests/s')}`,
        explanation: 'The same requests to a second process that collects metrics.',
      },
      medianRatio(figures.measured, figures.service),
      { min: 0.97 },
    ),
  ];
}
