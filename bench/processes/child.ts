import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TaskResult } from './run-tasks.js';

/**
 * A script in its own process, so that service and load generator don't share an event loop. Its standard output, which
 * includes the service's log, goes to `/dev/null`.
 */
export class Child {
  private readonly process: ChildProcess;
  private readonly script: string;

  constructor(url: URL) {
    this.script = fileURLToPath(url);
    const sink = openSync(devNull, 'w');
    this.process = fork(this.script, { stdio: ['ignore', sink, 'inherit', 'ipc'] });
    closeSync(sink);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Runs a task in the process and returns its result. Tasks must run one at a time. */
  run<Result>(task: object): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`${this.script} exited during a task.`));
      this.process.once('exit', onExit);
      this.process.once('message', (result: TaskResult) => {
        this.process.removeListener('exit', onExit);
        if ('value' in result) resolve(result.value as Result);
        else reject(new Error(`${this.script}: ${result.failure}`));
      });
      this.process.send(task);
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    if (this.process.connected) this.process.disconnect();
    await exited;
  }
}

/** Runs each script in a process while `use` runs. */
export async function withChildren<Name extends string, Result>(
  scripts: Record<Name, URL>,
  use: (children: Record<Name, Child>) => Promise<Result>,
): Promise<Result> {
  const names = Object.keys(scripts) as Name[];
  const entries = names.map((name) => [name, new Child(scripts[name])] as const);
  try {
    return await use(Object.fromEntries(entries) as Record<Name, Child>);
  } finally {
    await Promise.all(entries.map(([, child]) => child.stop()));
  }
}
