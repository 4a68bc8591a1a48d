import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '../setup/wait-for.js';

const programs = path.resolve('test/documented-commands/programs');

/** What a block did. */
export interface Outcome {
  /** The exit code of the last command that failed, or 0. */
  status: number;
  printed: string;
  errors: string;
  /** The status of each response that curl received. */
  responses: number[];
}

/** A shell that keeps its variables and functions from block to block, as the terminal of a reader does. */
export class Terminal {
  private blocks = 0;

  private constructor(
    private readonly shell: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param folder where files of the terminal itself are */
  static async open(folder: string, cwd: string, environment: Record<string, string>): Promise<Terminal> {
    const running = path.join(folder, 'running');
    await mkdir(running, { recursive: true });
    const shell = spawn('bash', ['--noprofile', '--norc', '-o', 'pipefail', '-E'], {
      cwd,
      env: { PATH: `${programs}:${process.env['PATH']}`, HOME: folder, RUNNING: running, ...environment },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return new Terminal(shell, folder);
  }

  /**
   * Runs commands and waits for the last one.
   *
   * @throws Error if the commands end the shell
   */
  async run(commands: string): Promise<Outcome> {
    this.blocks += 1;
    const file = (name: string) => path.join(this.folder, `${this.blocks}.${name}`);
    writeFileSync(file('sh'), commands);
    this.shell.stdin?.write(
      `failed=0; trap 'failed=$?' ERR; . ${file('sh')} </dev/null >${file('out')} 2>${file('errors')}\n` +
        `trap - ERR; echo $failed >${file('part')}; mv ${file('part')} ${file('status')}\n`,
    );
    await waitFor(() => existsSync(file('status')) || this.shell.exitCode !== null).catch(() => {
      throw new Error(`These commands take more than a minute:\n${commands}${readFileSync(file('out'), 'utf8')}`);
    });
    if (this.shell.exitCode !== null) throw new Error(`These commands end the shell:\n${commands}`);
    const [status, printed, errors] = await Promise.all(
      ['status', 'out', 'errors'].map((name) => readFile(file(name), 'utf8')),
    );
    const responses = [...(errors ?? '').matchAll(/^response (\d+)$/gm)].map(([, code]) => Number(code));
    return {
      status: Number(status),
      printed: printed ?? '',
      errors: (errors ?? '').replaceAll(/\nresponse \d+\n/g, ''),
      responses,
    };
  }

  /** Sets variables, as if the reader had typed their values. */
  async set(variables: Record<string, string>): Promise<void> {
    const quoted = Object.entries(variables).map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`);
    await this.run(quoted.join(''));
  }

  /** Stops what `npm start` and others started, as Ctrl-C does in their terminals. */
  async stopServices(): Promise<void> {
    const running = path.join(this.folder, 'running');
    for (const name of readdirSync(running)) {
      const file = (part: string) => path.join(running, name, part);
      if (existsSync(file('exit'))) continue;
      process.kill(-Number(readFileSync(file('pid'), 'utf8')), 'SIGINT');
      await waitFor(() => existsSync(file('exit')));
    }
  }

  async close(): Promise<void> {
    await this.stopServices();
    if (this.shell.exitCode !== null) return;
    const exited = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await exited;
  }
}
