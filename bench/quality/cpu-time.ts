import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports times in hundredths of a second. */
const ticksPerSecond = 100;
const userTime = 11;
const systemTime = 12;
const endedChildrenUserTime = 13;
const endedChildrenSystemTime = 14;

/** Returns the seconds of processor time of child processes so far, running and ended ones; undefined if not on Linux. */
export function childCpuSeconds(): number | undefined {
  try {
    const tasks = readdirSync('/proc/self/task');
    const children = tasks.flatMap(
      (task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').match(/\d+/g) ?? [],
    );
    const running = children.map((pid) => ticksOf(pid, [userTime, systemTime]));
    const ended = ticksOf('self', [endedChildrenUserTime, endedChildrenSystemTime]);
    return running.reduce((sum, ticks) => sum + ticks, ended) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

function ticksOf(pid: string, fields: readonly number[]): number {
  // The second field is the program's name in parentheses, which may contain spaces.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
  const values = rest.split(' ');
  return fields.reduce((sum, field) => sum + Number(values[field]), 0);
}
