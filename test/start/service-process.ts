import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** The service as an operator runs it, in a process of its own. */
export interface ServiceProcess {
  child: ChildProcess;
  /** All it has printed on both outputs. */
  printed: () => string;
  /** Resolves to its address once it is ready, or rejects when it ends before. */
  ready: Promise<string>;
  /** Resolves to its exit code. */
  exited: Promise<number | null>;
}

/** Starts `main.js` with these variables and hardly any other, on a free port unless told otherwise. */
export function runService(environment: Record<string, string>): ServiceProcess {
  return runProgram(process.execPath, [main], environment);
}

/** Runs `npm start` in this checkout. */
export function runNpmStart(environment: Record<string, string>): ServiceProcess {
  return runProgram('npm', ['start'], environment);
}

function runProgram(program: string, argv: string[], environment: Record<string, string>): ServiceProcess {
  const child = spawn(program, argv, {
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
  // Who expects a failed start looks at `exited` instead.
  ready.catch(() => undefined);
  return { child, printed: () => output, ready, exited };
}
