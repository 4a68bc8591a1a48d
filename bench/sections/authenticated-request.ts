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
};

type Contender = 'bare' | 'public' | 'service' | 'typeorm';

/** Measures the cost of verifying a request's key. */
export function measureAuthenticatedRequest({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, bare, service }) => {
    const keys = await insertKnownKeys(client);
    const requestsTo = (path: string) => keys.map((key) => ({ path, headers: { authorization: `Bearer ${key}` } }));
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const models = requestsTo('/v1/models');
    const throughput = await measureThroughput<Contender>(generator, {
      loads: {
        bare: { url: (await bare.run<Listening>({})).url, requests: models },
        public: { url, requests: requestsTo(comparedPaths.public) },
        service: { url, requests: models },
        typeorm: { url, requests: requestsTo(comparedPaths.typeorm) },
      },
      connections,
      rounds,
    });
    return toRows(throughput);
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
