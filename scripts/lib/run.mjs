import { spawn } from 'node:child_process';

import { projectFolder } from './project.mjs';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a Node program in the checkout with our terminal, passes signals on, and gives its exit code. */
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
      // What a signal was meant to end ends here too, and not only its child.
      if (interruptedBy) process.kill(process.pid, interruptedBy);
      else resolve(code ?? 1);
    });
  });
}
