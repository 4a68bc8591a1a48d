import { spawn } from 'node:child_process';

import { projectFolder } from './project.mjs';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a Node.js program in the checkout with this terminal, forwards signals, and returns the exit code. */
export function runNode(argv, options = {}) {
  return run(process.execPath, argv, options);
}

/** Like `runNode`, for any program. */
export function run(program, argv, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, { cwd: projectFolder, stdio: 'inherit', ...options });
    let interruptedBy;
    const forward = (signal) => {
      interruptedBy = signal;
      child.kill(signal);
    };
    const release = () => forwarded.forEach((signal) => process.removeListener(signal, forward));
    forwarded.forEach((signal) => process.on(signal, forward));
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('close', (code) => {
      release();
      // The signal must end this process too.
      if (interruptedBy) process.kill(process.pid, interruptedBy);
      else resolve(code ?? 1);
    });
  });
}
