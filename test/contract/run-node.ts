import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Outcome {
  exitCode: number | null;
  /** Standard output followed by standard error. */
  output: string;
}

interface RunOptions {
  folder?: string;
  environment?: Record<string, string>;
}

/** Runs a program with this version of Node and waits for it to exit. */
export async function runNode(args: string[], { folder, environment }: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [exitCode, output, errors] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { exitCode, output: output + errors };
}
