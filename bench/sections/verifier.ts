import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import type { CallsResult } from '../processes/calls.js';
import { type Child, withChildren } from '../processes/child.js';
import type { VerifierLoad } from '../processes/verifier-callers.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';

const callerCounts = [1, 64, 256];
const rounds = 5;
const roundSeconds = 1.5;
const scripts = { callers: new URL('../processes/verifier-callers.js', import.meta.url) };

/** Measures key lookups without HTTP. */
export function measureVerifier({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async (children) => {
    const keys = await insertKnownKeys(client);
    const rows: Row[] = [];
    for (const callers of callerCounts) {
      rows.push(await measureRow(children.callers, { database: connection, keys, callers, seconds: roundSeconds }));
    }
    return rows;
  });
}

async function measureRow(child: Child, load: Omit<VerifierLoad, 'verifyWith'>): Promise<Row> {
  const measure = async (verifyWith: VerifierLoad['verifyWith']) =>
    (await child.run<CallsResult>({ ...load, verifyWith })).callsPerSecond;
  const { service, pool } = await measureInRounds(rounds, {
    service: () => measure('service'),
    pool: () => measure('pool'),
  });
  const comparison = {
    what: `Verifier alone, ${load.callers} concurrent ${load.callers === 1 ? 'caller' : 'callers'}`,
    measured: quantity(median(service), 'lookups/s'),
    against: `pg query each: ${quantity(median(pool), 'lookups/s')}`,
    explanation: `ApiKeyVerifierService against one prepared \`pg\` query for each key through a pool of the default size (10), in one process, with ${load.keys.length} different keys.`,
  };
  return ratioRow(comparison, medianRatio(service, pool), undefined);
}
