import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { startStandby } from '../../test/setup/standby.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { insertMember } from '../data/bench-member.js';
import { insertKnownKeys, organizationOf } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { median } from '../rounds.js';
import { embeddingsRequests } from '../data/embeddings-requests.js';
import { startService } from '../sections/instances.js';
import type { Listening } from '../servers/keycard.js';
import type { RelaySettings } from '../servers/delaying-relay.js';

const connections = 64;
const warmUpSeconds = 3;
const roundSeconds = 4;
const deletions = 20;
const credentials = { email: 'administrator@example.com', password: 'correct horse battery staple' };

const relay = new URL('../servers/delaying-relay.js', import.meta.url);
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  near: relay,
  far: relay,
};

/** A cluster whose standby confirms commits, or one without. */
export interface MeasuredStandby {
  /** Round trip between the servers; undefined without a standby. */
  milliseconds: number | undefined;
  requestsPerSecond: number;
  deletionMilliseconds: number;
}

/** Measures requests and deletions with a synchronous standby at some distance. */
export async function measureStandbys(): Promise<MeasuredStandby[]> {
  const folder = await makeBenchFolder();
  const primary = { dataDirectory: path.join(folder.path, 'primary') };
  const { connection, stop } = await startEmbeddedPostgres(primary.dataDirectory);
  const client = new pg.Client(connection);
  try {
    await migrate(connection);
    await client.connect();
    return await withChildren(scripts, async ({ generator, upstream, near, far }) => {
      const { url: upstreamUrl } = await upstream.run<Listening>({});
      const keys = await insertKnownKeys(client);
      const organizationId = await organizationOf(client, keys[0] ?? '');
      const permissions = ['create-api-keys', 'delete-api-keys'] as const;
      await insertMember(client, organizationId, { credentials, permissions });
      const service = await startService({ connection, client, stop }, '1', upstreamUrl);
      try {
        const token = await signIn(service.url);
        const measure = async (milliseconds: number | undefined): Promise<MeasuredStandby> => {
          const load = (seconds: number) => {
            const task: Load = { url: service.url, connections, seconds, requests: embeddingsRequests(keys) };
            return generator.run<LoadResult>(task);
          };
          await load(warmUpSeconds);
          const { requestsPerSecond } = await load(roundSeconds);
          return { milliseconds, requestsPerSecond, deletionMilliseconds: await timeDeletions(service.url, token) };
        };
        const results = [await measure(undefined)];
        for (const [milliseconds, child] of [
          [1, near],
          [10, far],
        ] as const) {
          const dataDirectory = path.join(folder.path, `standby-${milliseconds}`);
          const socket = (port: number) => path.join(connection.host, `.s.PGSQL.${port}`);
          // The port only names the relay's socket.
          const relayed = { ...connection, port: milliseconds };
          const settings: RelaySettings = { from: socket(relayed.port), to: socket(connection.port), milliseconds };
          await child.run(settings);
          const standby = await startStandby({ ...primary, connection }, dataDirectory, '0', relayed);
          try {
            await setSynchronous(client, '*');
            results.push(await measure(milliseconds));
          } finally {
            await setSynchronous(client, '');
            await standby.stop();
          }
        }
        return results;
      } finally {
        await service.stop();
      }
    });
  } finally {
    await client.end();
    await stop();
    await folder.remove();
  }
}

async function setSynchronous(client: pg.Client, names: string): Promise<void> {
  await client.query(`alter system set synchronous_standby_names = '${names}'`);
  await client.query('select pg_reload_conf()');
}

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/auth/sign-in`, { method: 'POST', headers, body: JSON.stringify(credentials) });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

/** The median time of `DELETE /api-keys/{id}`. */
async function timeDeletions(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const times: number[] = [];
  for (let count = 0; count < deletions; count += 1) {
    const created = await fetch(`${url}/api-keys`, { method: 'POST', headers, body: '{"name":"To be deleted"}' });
    await created.arrayBuffer();
    const location = created.headers.get('location') ?? '';
    const start = performance.now();
    const deleted = await fetch(`${url}${location}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    await deleted.arrayBuffer();
    if (!deleted.ok) throw new Error(`DELETE ${location} returned ${deleted.status}.`);
    times.push(performance.now() - start);
  }
  return median(times);
}
