import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

interface ProcessStatus {
  name: string;
  ended: boolean;
}

function processStatus(pid: number): ProcessStatus | undefined {
  return process.platform === 'linux' ? linuxProcessStatus(pid) : portableProcessStatus(pid);
}

function linuxProcessStatus(pid: number): ProcessStatus | undefined {
  try {
    const stat = /^\d+ \((.*)\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { name: stat?.[1] ?? '', ended: stat?.[2] === 'Z' || stat?.[2] === 'X' };
  } catch {
    return undefined;
  }
}

function portableProcessStatus(pid: number): ProcessStatus | undefined {
  const { stdout } = spawnSync('/bin/ps', ['-o', 'stat=,comm=', '-p', String(pid)], { encoding: 'utf8' });
  const found = /^\s*(\S+)\s+(.*?)\s*$/m.exec(stdout ?? '');
  return found ? { name: found[2]?.split('/').at(-1) ?? '', ended: found[1]?.startsWith('Z') ?? false } : undefined;
}

/** Whether the process is running; a zombie isn't. */
export function isRunning(pid: number): boolean {
  const status = processStatus(pid);
  return status !== undefined && !status.ended;
}

/** Whether the process is the PostgreSQL server of this cluster, not another one that reuses its pid. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  const status = processStatus(pid);
  if (status === undefined || status.ended || !status.name.startsWith('postgres')) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    // Another user's process, where only the name is visible.
    return true;
  }
}
