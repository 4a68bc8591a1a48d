import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const kilobyte = 1024;
/** Without /proc each look starts a process. */
const intervalMilliseconds = process.platform === 'linux' ? 50 : 1_000;

/**
 * Watches the resident memory of a process.
 *
 * @param onExceeded called once, when the process uses more than `limitBytes`
 * @returns ends the watch
 */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void): () => void {
  let isWatching = true;
  const look = async () => {
    const bytes = await residentBytes(pid);
    if (!isWatching) return;
    if (bytes > limitBytes) onExceeded();
    else timer = setTimeout(() => void look(), intervalMilliseconds);
  };
  let timer = setTimeout(() => void look(), intervalMilliseconds);
  return () => {
    isWatching = false;
    clearTimeout(timer);
  };
}

/** 0 when it cannot be read: the process has ended, or the system has neither /proc nor `ps`. */
async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform !== 'linux')
      return Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) * kilobyte;
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * kilobyte;
  } catch {
    return 0;
  }
}
