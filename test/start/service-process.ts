import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from '../setup/built-service.js';

/** The service in a separate process. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Returns everything printed on both outputs. */
  printed: () => string;
  /** Resolves to the URL once it is ready, or rejects if it exits first. */
  ready: Promise<string>;
  /** Resolves to the exit code. */
  exited: Promise<number | null>;
}

/** Starts the bundled service with a minimal environment and these variables, by default on a free port. */
export function runService(environment: Record<string, string>): ServiceProcess {
  return runProgram(process.execPath, [builtProgram('main')], environment);
}

/** Runs `npm start` in this checkout. */
export function runNpmStart(environment: Record<string, string>): ServiceProcess {
  return runProgram('npm', ['start'], environment);
}

/** Runs a program that is the service, or becomes it. */
export function runProgram(
  program: string,
  argv: string[],
  environment: Record<string, string>,
  cwd?: string,
): ServiceProcess {
  const child = spawn(program, argv, {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Keycard is ready: open (\S+)\n[\s\S]*embeddings/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => reject(new Error(`Keycard ended with code ${code}:\n${output}`)));
  });
  // Tests of failing starts use `exited`.
  ready.catch(() => undefined);
  return { child, printed: () => output, ready, exited };
}
