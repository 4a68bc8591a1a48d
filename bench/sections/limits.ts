import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys, limitKeys } from '../data/keys.js';
import type { CallsResult } from '../processes/calls.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import type { VerifierLoad } from '../processes/verifier-callers.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import { embeddingsRequests, mockModel } from '../data/embeddings-requests.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const connections = 64;
const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 2;
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
  first: new URL('../processes/verifier-callers.js', import.meta.url),
  second: new URL('../processes/verifier-callers.js', import.meta.url),
  third: new URL('../processes/verifier-callers.js', import.meta.url),
};

/** Measures what limits cost: of whole requests, and of decisions alone. */
export function measureLimits({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, upstream, service, first, second, third }) => {
    const unlimited = await insertKnownKeys(client);
    const limited = await insertKnownKeys(client);
    await limitKeys(client, limited);
    const models = [mockModel((await upstream.run<Listening>({})).url)];
    const settings: KeycardSettings = { database: connection, models };
    const { url } = await service.run<Listening>(settings);
    const measure = async (what: string, requestsOf: (keys: readonly string[]) => Load['requests']) => {
      const load = (keys: readonly string[]) => async (seconds: number) => {
        const task: Load = { url, connections, seconds, requests: requestsOf(keys) };
        return (await generator.run<LoadResult>(task)).requestsPerSecond;
      };
      const oneKey = (keys: readonly string[]) => load(keys.map(() => keys[0] ?? ''));
      return [
        await measureRequests(`${what}, 1,000 keys`, { limited: load(limited), unlimited: load(unlimited) }),
        await measureRequests(`${what}, one key`, { limited: oneKey(limited), unlimited: oneKey(unlimited) }),
      ];
    };
    const decide = (verifiers: Child[], keys: readonly string[]) => () =>
      decisionsPerSecond(verifiers, {
        database: connection,
        keys: [...keys],
        verifyWith: 'service',
        callers: connections,
        seconds: roundSeconds,
      });
    return [
      ...(await measure('POST /v1/embeddings to an upstream', embeddingsRequests)),
      ...(await measure('GET /v1/models', modelsRequests)),
      ...(await measureDecisions({
        unlimited: decide([first], unlimited),
        limited: decide([first], limited),
        hot: decide([first], limited.slice(0, 1)),
        limitedByThree: decide([first, second, third], limited),
        hotByThree: decide([first, second, third], limited.slice(0, 1)),
      })),
    ];
  });
}

async function measureRequests(
  what: string,
  loads: Record<'limited' | 'unlimited', (seconds: number) => Promise<number>>,
): Promise<Row> {
  for (const warmUp of Object.values(loads)) await warmUp(warmUpSeconds);
  const { limited, unlimited } = await measureInRounds(rounds, {
    limited: () => loads.limited(roundSeconds),
    unlimited: () => loads.unlimited(roundSeconds),
  });
  return ratioRow(
    {
      what: `${what} with limits, ${connections} connections`,
      measured: quantity(median(limited), 'requests/s'),
      against: `without limits: ${quantity(median(unlimited), 'requests/s')}`,
      explanation: 'The same service with keys that have a limit per minute, against as many keys without limits.',
    },
    medianRatio(limited, unlimited),
    undefined,
  );
}

type Contender = 'limited' | 'hot' | 'limitedByThree' | 'hotByThree';

async function measureDecisions(contenders: Record<Contender | 'unlimited', () => Promise<number>>): Promise<Row[]> {
  const figures = await measureInRounds(rounds, contenders);
  const row = (contender: Contender, what: string) =>
    ratioRow(
      {
        what: `Admission alone, ${what}`,
        measured: quantity(median(figures[contender]), 'decisions/s'),
        against: `lookup without limits: ${quantity(median(figures.unlimited), 'lookups/s')}`,
        explanation: `ApiKeyVerifierService with ${connections} concurrent callers per instance, each of which waits for a decision. Instances are processes.`,
      },
      medianRatio(figures[contender], figures.unlimited),
      undefined,
    );
  return [
    row('limited', '1,000 keys'),
    row('hot', 'one key'),
    row('limitedByThree', '1,000 keys, three instances'),
    row('hotByThree', 'one key, three instances'),
  ];
}

function modelsRequests(keys: readonly string[]): Load['requests'] {
  return keys.map((key) => ({ path: '/v1/models', headers: { authorization: `Bearer ${key}` } }));
}

/** The sum over all instances. */
async function decisionsPerSecond(verifiers: readonly Child[], load: VerifierLoad): Promise<number> {
  const results = await Promise.all(verifiers.map((verifier) => verifier.run<CallsResult>(load)));
  return results.reduce((sum, { callsPerSecond }) => sum + callsPerSecond, 0);
}
