import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const kilobyte = 1024;
/** Without /proc, each check starts a process. */
const intervalMilliseconds = process.platform === 'linux' ? 50 : 1_000;

/**
 * Monitors the resident memory of a process.
 *
 * @param onExceeded called once if the process exceeds `maxBytes`
 * @returns a function that stops monitoring
 */
export function watchMemory(pid: number, maxBytes: number, onExceeded: () => void): () => void {
  let isWatching = true;
  const check = async () => {
    const bytes = await residentBytes(pid);
    if (!isWatching) return;
    if (bytes > maxBytes) onExceeded();
    else timer = setTimeout(() => void check(), intervalMilliseconds);
  };
  let timer = setTimeout(() => void check(), intervalMilliseconds);
  return () => {
    isWatching = false;
    clearTimeout(timer);
  };
}

/** Returns 0 if it can't be read: the process has ended, or the system has neither /proc nor `ps`. */
async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
      return Number(stdout) * kilobyte;
    }
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * kilobyte;
  } catch {
    return 0;
  }
}
