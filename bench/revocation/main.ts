import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/setup/temporary-folder.js';
import { waitFor } from '../../test/setup/wait-for.js';
import { Administrator } from './administrator.js';
import { checkCluster } from './cluster/check-cluster.js';
import { formatClusterReport, isClean } from './cluster/cluster-report.js';
import { findClusterPrograms } from './cluster/cluster.js';
import { Replicas } from './replicas.js';
import { formatRevocationReport, type RevocationRun, writeSection } from './report.js';
import { Secrets } from './secrets.js';
import { Traffic } from './traffic.js';

const replicaCount = 3;
const administratorCount = 4;
const callerCount = 48;
const pauseBetweenKillsMilliseconds = 10_000;
/** Replicas killed between restarts of PostgreSQL: every third pause ends with a restart. */
const killsPerRestart = 2;
/** A run that sends less shows too little. */
const minRequestsPerMinute = 100_000;

const results = new URL('../../../bench/revocation.md', import.meta.url);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    patroni: { type: 'boolean', default: false },
    requests: { type: 'string', default: '1000000' },
    failovers: { type: 'string', default: '20' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 24 * 60)) {
  console.error(`--minutes must be a number above 0, at most ${24 * 60}; it is ${values.minutes}.`);
  process.exit(1);
}

const folder = await makeTemporaryFolder();
// process.exit stops the databases. The folder is removed last, when nothing writes to it anymore.
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.once('exit', () => rmSync(folder.path, { recursive: true, force: true, maxRetries: 5 }));
    process.exit(exitCodes[signal]);
  });
}

if (values.patroni) process.exit(await checkPatroni(minutes));

const run = await checkRevocation(minutes);
const hasEnoughRequests = run.requests >= minutes * minRequestsPerMinute;
const report = formatRevocationReport(run);
console.log(`\n${report}`);
if (hasEnoughRequests) writeSection(results, report);
else console.error(`Too few requests for a verdict: at least ${minRequestsPerMinute} a minute are needed.`);
process.exit(run.acceptedRevoked === 0 && run.rejectedLive === 0 && hasEnoughRequests ? 0 : 1);

/**
 * Checks a real cluster, until it has seen enough requests and failovers.
 *
 * @returns the exit code
 */
async function checkPatroni(maxMinutes: number): Promise<number> {
  const programs = findClusterPrograms();
  if (Array.isArray(programs)) {
    console.log(`The check of a cluster is skipped: ${programs.join(', ')} not installed.`);
    await folder.remove();
    return 0;
  }
  const goal = { requests: Number(values.requests), failovers: Number(values.failovers), maxMinutes };
  try {
    const run = await checkCluster(folder, goal);
    const report = formatClusterReport(run);
    console.log(`\n${report}`);
    const isEnough =
      run.requests >= goal.requests && run.rows.reduce((sum, { failovers }) => sum + failovers, 0) >= goal.failovers;
    if (isEnough) writeSection(results, report);
    else
      console.error(`Too little for a verdict: ${goal.requests} requests and ${goal.failovers} failovers are needed.`);
    return isEnough && isClean(run) ? 0 : 1;
  } finally {
    await folder.remove();
  }
}

/** Uses keys for some minutes while they are revoked, and replicas and the database fail. */
async function checkRevocation(minutes: number): Promise<RevocationRun> {
  const supervision = { logger: pino({ level: 'silent' }), onGiveUp: fail, stableMilliseconds: 1000 };
  const postgres = await startEmbeddedPostgres(folder.path, { supervision });
  const replicas = new Replicas(postgres.connection, folder.path);
  try {
    const secrets = new Secrets();
    const traffic = new Traffic(replicas, secrets);
    // The first one creates the tables and the administrator.
    for (let replica = 0; replica < replicaCount; replica++) await replicas.start();
    const administrator = new Administrator(postgres.connection, replicas, secrets, traffic);
    await administrator.signIn();

    const end = performance.now() + minutes * 60_000;
    const isOver = () => performance.now() >= end;
    const repeat = (count: number, task: () => Promise<void>) => Array.from({ length: count }, task);
    const [restarts = 0] = await Promise.all([
      breakThings(replicas, folder, isOver),
      ...repeat(administratorCount, () => administrator.run(isOver)),
      ...repeat(callerCount, () => traffic.run(isOver)),
    ]);
    console.log(`Using all ${secrets.revoked.length} revoked secrets once more …`);
    const left = secrets.revoked.values();
    const useRest = async () => {
      for (const secret of left) await waitFor(() => traffic.use(secret));
    };
    await Promise.all(repeat(callerCount, useRest));
    const { deletions, rotations } = administrator.counts;
    const { accepted, rejected } = traffic.counts;
    const requests = accepted + rejected;
    return { minutes, ...traffic.counts, requests, deletions, rotations, killed: replicas.killed, restarts };
  } finally {
    await replicas.stop();
    await postgres.stop();
    await folder.remove();
  }
}

/**
 * Kills replicas and restarts PostgreSQL, one after the other.
 *
 * @returns the number of restarts of PostgreSQL
 */
async function breakThings(replicas: Replicas, folder: TemporaryFolder, isOver: () => boolean): Promise<number> {
  let restarts = 0;
  for (let round = 1; !isOver(); round++) {
    await delay(pauseBetweenKillsMilliseconds);
    if (isOver()) break;
    if (round % (killsPerRestart + 1) !== 0) await replicas.replaceOne();
    else restartPostgres(folder, restarts++ % 2 === 0 ? 'SIGINT' : 'SIGQUIT');
  }
  return restarts;
}

/** Stops the server, which its supervision starts again. After SIGQUIT it recovers as after a crash. */
function restartPostgres(folder: TemporaryFolder, signal: 'SIGINT' | 'SIGQUIT'): void {
  const [pid] = readFileSync(path.join(folder.path, 'postgresql', 'data', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), signal);
}

function fail(reason: string): void {
  console.error(reason);
  process.exit(1);
}
