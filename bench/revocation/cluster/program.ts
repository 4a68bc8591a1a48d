import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface ProgramSettings {
  readonly command: string;
  readonly argv: readonly string[];
  /** Gets everything it prints. */
  readonly log: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The user it runs as; by default this process's. */
  readonly identity?: { readonly uid?: number; readonly gid?: number };
}

/** A program that can be killed, paused and started again. It never outlives this process. */
export class Program {
  private child: ChildProcess | undefined;

  constructor(private readonly settings: ProgramSettings) {
    process.once('exit', () => this.child?.kill('SIGKILL'));
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  start(): void {
    const { command, argv, log, environment, identity } = this.settings;
    const output = openSync(log, 'a');
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...environment };
    this.child = spawn(command, argv, { ...identity, cwd: '/', env, stdio: ['ignore', output, output] });
    this.child.on('error', () => undefined);
    closeSync(output);
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.child?.kill(signal);
  }

  /** Ends the program, even a paused one. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.child === undefined || !this.isRunning) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    this.child.kill('SIGCONT');
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), 10_000);
    await exited.finally(() => clearTimeout(timer));
  }
}

const searchPath = () => [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];

/** Returns the path of a program, or undefined if it isn't installed. */
export function findInstalled(name: string): string | undefined {
  return searchPath()
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** Returns the folder with the programs of the newest PostgreSQL that Debian's packages have installed. */
export function findPostgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  return versions
    .map((version) => path.join(root, version, 'bin'))
    .find((bin) => existsSync(path.join(bin, 'pg_rewind')));
}

/** Returns the processes that a process has started, and those that they have started. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = readParent(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const collect = (parent: number): number[] => (children.get(parent) ?? []).flatMap((one) => [one, ...collect(one)]);
  return collect(pid);
}

function readParent(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
