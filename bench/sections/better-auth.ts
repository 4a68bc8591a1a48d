import { CpuMeter, type CpuPerRequest, formatCpu } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { peersFolder } from '../peers/install.js';
import type { BetterAuthLoad } from '../processes/better-auth-callers.js';
import type { CallsResult } from '../processes/calls.js';
import { type Child, withChildren } from '../processes/child.js';
import type { VerifierLoad } from '../processes/verifier-callers.js';
import { type Figures, measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { Throughput } from '../throughput.js';

const rounds = 5;
const roundSeconds = 2;
const callerCounts = [1, 64];

const scripts = {
  keycard: new URL('../processes/verifier-callers.js', import.meta.url),
  betterAuth: new URL('../processes/better-auth-callers.js', import.meta.url),
};

/** Keycard with and without recording usage, and better-auth. */
type Verifier = 'metered' | 'lookup' | 'betterAuth';

/** Compares verifying keys with better-auth, a library; nothing if it can't be installed. */
export async function measureBetterAuth({ client, connection }: BenchDatabase): Promise<Row[]> {
  const folder = await peersFolder();
  if (folder === undefined) return [];
  return withChildren(scripts, async ({ keycard, betterAuth }) => {
    const keys = await insertKnownKeys(client);
    await client.query('create database better_auth');
    const ownDatabase = { ...connection, database: 'better_auth' };
    const processes = {
      contenders: { metered: keycard.pid, lookup: keycard.pid, betterAuth: betterAuth.pid },
      postmaster: await findPostmaster(client),
    };
    const rows: Row[] = [];
    for (const callers of callerCounts) {
      const task = { callers, seconds: roundSeconds };
      const keycardLoad = { ...task, database: connection, keys };
      const betterAuthLoad = { ...task, database: ownDatabase, folder, keyCount: keys.length } satisfies BetterAuthLoad;
      const cpu = new CpuMeter<Verifier>(processes);
      const measure = (name: Verifier, child: Child, load: VerifierLoad | BetterAuthLoad) => async () => {
        const run = async () => {
          const result = await child.run<CallsResult>(load);
          return { ...result, requests: result.calls };
        };
        return (await cpu.measure(name, run)).callsPerSecond;
      };
      // Creates its keys, which isn't measured.
      await betterAuth.run<CallsResult>(betterAuthLoad);
      const figures: Figures<Verifier> = await measureInRounds(rounds, {
        metered: measure('metered', keycard, { ...keycardLoad, verifyWith: 'metered' }),
        lookup: measure('lookup', keycard, { ...keycardLoad, verifyWith: 'service' }),
        betterAuth: measure('betterAuth', betterAuth, betterAuthLoad),
      });
      rows.push(...toRows({ figures, cpu }, callers));
    }
    return rows;
  });
}

function toRows({ figures, cpu }: Throughput<Verifier>, callers: number): Row[] {
  const suffix = `${callers} ${callers === 1 ? 'caller' : 'callers'}`;
  const against = `better-auth: ${quantity(median(figures.betterAuth), 'verifications/s')}`;
  const row = (name: 'metered' | 'lookup', what: string, explanation: string) =>
    ratioRow(
      {
        what: `${what}, ${suffix}`,
        measured: quantity(median(figures[name]), 'verifications/s'),
        against,
        explanation,
      },
      medianRatio(figures[name], figures.betterAuth),
      undefined,
    );
  const [metered, betterAuth] = [cpu.perRequest('metered'), cpu.perRequest('betterAuth')];
  const rows = [
    row(
      'metered',
      'Verify a key and record the request, in process',
      "1,000 different keys in the same PostgreSQL server. Keycard looks up each key and records its usage; `auth.api.verifyApiKey` of better-auth looks up each key and writes the time of its last use. Rate limits of better-auth are off, because its default of ten requests a day rejects the rest. Keycard's usage doesn't wait for the disk.",
    ),
    row('lookup', 'Verify a key only, in process', 'The same without recording usage in Keycard.'),
  ];
  if (metered === undefined || betterAuth === undefined) return rows;
  const cpuTime = {
    what: `CPU time of a verification, ${suffix}`,
    measured: formatCpu(metered),
    against: `better-auth: ${formatCpu(betterAuth)}`,
    explanation:
      'Processor time of the process and of PostgreSQL while it verifies keys and records requests, divided by its verifications.',
  };
  return [...rows, ratioRow(cpuTime, totalOf(metered) / totalOf(betterAuth), undefined)];
}

const totalOf = ({ own, database }: CpuPerRequest) => own + database;
