import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const maxOutputBytes = 64 * 1024 * 1024;

/** Runs a program, which never outlives this process, and returns its standard output. */
export async function runCommand(command: string, args: readonly string[], folder = process.cwd()): Promise<string> {
  const running = promisify(execFile)(command, args, { cwd: folder, maxBuffer: maxOutputBytes });
  const onExit = () => running.child.kill();
  process.once('exit', onExit);
  try {
    return (await running).stdout;
  } finally {
    process.removeListener('exit', onExit);
  }
}

/** Installs npm packages in a folder, by default those of its `package.json`. */
export async function npmInstall(folder: string, ...packages: string[]): Promise<void> {
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder);
}
