import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { identityOf, type ServerUser } from '../../src/database/embedded-postgres/server-user.js';

const program = fileURLToPath(new URL('./holder-process.js', import.meta.url));

/** A running `holder-process`. */
export class HolderProcess {
  readonly lines: string[] = [];
  private readonly child;
  private readonly output;

  constructor(dataDirectory: string, user?: ServerUser) {
    this.child = spawn(process.execPath, [program, dataDirectory], {
      ...identityOf(user),
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.output = createInterface({ input: this.child.stdout });
    this.output.on('line', (line) => this.lines.push(line));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits for the first line with this prefix and returns the rest of it. */
  async printed(prefix: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.startsWith(`${prefix} `));
      if (found !== undefined) return found.slice(prefix.length + 1);
      await once(this.output, 'line');
    }
  }

  /** Returns the numbers that PostgreSQL has acknowledged. */
  get acknowledged(): number[] {
    return this.lines.filter((line) => line.startsWith('acknowledged ')).map((line) => Number(line.split(' ')[1]));
  }

  /** Stops PostgreSQL and the process, and returns the exit code. */
  async stop(): Promise<number | null> {
    const closed = once(this.child, 'close') as Promise<[number | null]>;
    this.child.stdin.write('stop');
    return (await closed)[0];
  }

  /** Suspends the process; PostgreSQL keeps running. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  /** Continues after `pause`. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Waits until the process has ended. */
  async ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
  }

  /** Kills the process, like a crash. */
  async crash(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }
}
