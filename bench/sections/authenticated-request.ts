import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const connections = 64;
const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 2;

const keycard = new URL('../servers/keycard.js', import.meta.url);
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  bare: new URL('../servers/bare-fastify.js', import.meta.url),
  public: keycard,
  typeorm: keycard,
  service: keycard,
};

/** What it costs a request that its key is looked up. */
export function measureAuthenticatedRequest({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, ...servers }) => {
    const requests = (await insertKnownKeys(client)).map((key) => ({
      path: '/v1/models',
      headers: { authorization: `Bearer ${key}` },
    }));
    const start = async (access: KeycardSettings['access']) =>
      loader(generator, requests, await servers[access].ask<Listening>({ database: connection, access }));
    const contenders = {
      bare: loader(generator, requests, await servers.bare.ask<Listening>({})),
      public: await start('public'),
      service: await start('service'),
      typeorm: await start('typeorm'),
    };
    for (const load of Object.values(contenders)) await load(warmUpSeconds);
    const { bare, public: open, service, typeorm } = contenders;
    return toRows(
      await measureInRounds(rounds, {
        bare: () => bare(roundSeconds),
        public: () => open(roundSeconds),
        service: () => service(roundSeconds),
        typeorm: () => typeorm(roundSeconds),
      }),
    );
  });
}

function loader(generator: Child, requests: Load['requests'], { url }: Listening) {
  return async (seconds: number) => {
    const load: Load = { url, connections, seconds, requests };
    return (await generator.ask<LoadResult>(load)).requestsPerSecond;
  };
}

function toRows(figures: Record<'bare' | 'public' | 'service' | 'typeorm', number[]>): Row[] {
  const row = (other: 'bare' | 'public' | 'typeorm', name: string, explanation: string, least: number) =>
    ratioRow(
      {
        what: `Authenticated GET /v1/models, ${connections} connections`,
        measured: quantity(median(figures.service), 'requests/s'),
        against: `${name}: ${quantity(median(figures[other]), 'requests/s')}`,
        explanation,
      },
      medianRatio(figures.service, figures[other]),
      { least },
    );
  return [
    row(
      'public',
      'route without authentication',
      'The service, whose every request looks its key up among all keys, against the same service with `GET /v1/models` declared `@Public()`; both log each request (`LOG_LEVEL=info`, to `/dev/null`) and get the same requests.',
      0.65,
    ),
    row(
      'bare',
      'bare Fastify',
      'The same against Fastify alone, which answers the same JSON and neither checks nor logs anything.',
      0.45,
    ),
    row(
      'typeorm',
      'TypeORM query each',
      'The same against the same service with a guard that finds the key by a TypeORM repository, once a request; it logs alike.',
      4,
    ),
  ];
}
