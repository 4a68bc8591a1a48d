import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Linux reports times in hundredths of a second. */
const ticksPerSecond = 100;
/** Fields of `/proc/PID/stat`, counted from the one after the program's name. */
const parentPid = 1;
const userAndSystemTime = [11, 12];
const endedChildrenTime = [13, 14];

/** Returns the seconds of processor time of a process and its children so far; undefined if not on Linux. */
export function cpuSecondsOf(pid: number | string): number | undefined {
  try {
    return ticksOfTree(pid) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** The same, of all child processes of this one. */
export function childCpuSeconds(): number | undefined {
  try {
    return (ticksOfTree('self') - sumOf(readStat('self'), userAndSystemTime)) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** Returns the PID of the database server: the parent of its connections' processes. Undefined if not on Linux. */
export async function findPostmaster(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    return readStat(rows[0]?.pid ?? '')[parentPid];
  } catch {
    return undefined;
  }
}

function ticksOfTree(pid: number | string): number {
  for (;;) {
    const ended = sumOf(readStat(pid), endedChildrenTime);
    const children = childrenOf(pid).reduce((sum, child) => sum + (cpuSecondsOf(child) ?? 0) * ticksPerSecond, 0);
    const stat = readStat(pid);
    // Otherwise a child has ended meanwhile, and would count twice or not at all.
    if (sumOf(stat, endedChildrenTime) === ended) return children + ended + sumOf(stat, userAndSystemTime);
  }
}

function childrenOf(pid: number | string): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap(
    (task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').match(/\d+/g) ?? [],
  );
}

function readStat(pid: number | string): number[] {
  // The second field is the program's name in parentheses, which may contain spaces.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
  return rest.split(' ').map(Number);
}

function sumOf(values: readonly number[], indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (values[index] ?? 0), 0);
}
