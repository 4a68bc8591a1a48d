import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { startNginx } from '../processes/nginx.js';
import { type Figures, measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const connections = 64;
const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 2;

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

type Contender = 'authorized' | 'open' | 'keycard';

/** Measures what it costs to have nginx ask Keycard about each request; nothing if nginx isn't installed. */
export function measureAuthorize({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, upstream, service }) => {
    const settings: KeycardSettings = { database: connection };
    const keycardUrl = (await service.run<Listening>(settings)).url;
    const upstreamUrl = (await upstream.run<Listening>({})).url;
    const keys = await insertKnownKeys(client);
    const load = (url: string, path: string) => async (seconds: number) => {
      const requests = keys.map((key) => ({ path, headers: { authorization: `Bearer ${key}` } }));
      const task: Load = { url, connections, seconds, requests };
      return (await generator.run<LoadResult>(task)).requestsPerSecond;
    };
    const [authorized, open] = [await startNginx(upstreamUrl, keycardUrl), await startNginx(upstreamUrl)];
    if (authorized === undefined || open === undefined) return [];
    try {
      const contenders: Record<Contender, (seconds: number) => Promise<number>> = {
        authorized: load(authorized.url, '/'),
        open: load(open.url, '/'),
        keycard: load(keycardUrl, '/v1/authorize'),
      };
      for (const warmUp of Object.values(contenders)) await warmUp(warmUpSeconds);
      const figures = await measureInRounds(rounds, {
        authorized: () => contenders.authorized(roundSeconds),
        open: () => contenders.open(roundSeconds),
        keycard: () => contenders.keycard(roundSeconds),
      });
      return toRows(figures);
    } finally {
      await authorized.stop();
      await open.stop();
    }
  });
}

function toRows(figures: Figures<Contender>): Row[] {
  const row = (other: Contender, name: string, explanation: string) =>
    ratioRow(
      {
        what: `Service behind nginx, authorized by Keycard, ${connections} connections`,
        measured: quantity(median(figures.authorized), 'requests/s'),
        against: `${name}: ${quantity(median(figures[other]), 'requests/s')}`,
        explanation,
      },
      medianRatio(figures.authorized, figures[other]),
      undefined,
    );
  return [
    row(
      'open',
      'nginx without authorization',
      'A mock service behind nginx, which asks `GET /v1/authorize` about each request (`auth_request`), against nginx that forwards all requests. Each request is authenticated, logged, and its usage recorded in PostgreSQL. Load generator, nginx, Keycard, service and database share the processors.',
    ),
    row(
      'keycard',
      'GET /v1/authorize directly',
      'The same against requests to Keycard alone, without nginx and the service.',
    ),
  ];
}
