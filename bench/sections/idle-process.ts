import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder } from '../../test/setup/temporary-folder.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const warmStarts = 5;
const restMilliseconds = 2000;

interface Start {
  seconds: number;
  residentMegabytes: number;
}

/** Measures start and memory of the idle service process. */
export async function measureIdleProcess(): Promise<Row[]> {
  const folder = await makeTemporaryFolder();
  await startAndStop(folder.path, 0);
  const starts: Start[] = [];
  for (let round = 0; round < warmStarts; round += 1) starts.push(await startAndStop(folder.path, restMilliseconds));
  await folder.remove();
  const start = 'Start until ready, data and build present';
  const startExplanation =
    'From `node main.js` until the service reports that it is ready: embedded PostgreSQL has started, migrations are checked and the port is open. The first start, which creates the database, is excluded.';
  const memory = 'Memory of the idle service process (RSS)';
  const memoryExplanation = `Resident memory ${restMilliseconds / 1000} s after the start, before embedded engines are used; PostgreSQL's processes are not included.`;
  return [
    valueRow({ what: start, explanation: startExplanation }, median(starts.map(({ seconds }) => seconds)), 1, 's'),
    valueRow(
      { what: memory, explanation: memoryExplanation },
      median(starts.map(({ residentMegabytes }) => residentMegabytes)),
      120,
      'MB',
    ),
  ];
}

async function startAndStop(dataDirectory: string, rest: number): Promise<Start> {
  const before = performance.now();
  const service = spawn(process.execPath, [...process.execArgv, main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A working directory without .env, so that only defaults apply.
    cwd: dataDirectory,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDirectory, PORT: '0' },
  });
  const exited = once(service, 'exit');
  const isReady = (async () => {
    for await (const text of service.stdout) if (String(text).includes('Keycard is ready')) return true;
    return false;
  })();
  if (!(await isReady)) throw new Error('The service did not start.');
  const seconds = (performance.now() - before) / 1000;
  await delay(rest);
  const residentMegabytes = readResidentMegabytes(service.pid);
  service.kill('SIGTERM');
  await exited;
  return { seconds, residentMegabytes };
}

function readResidentMegabytes(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
