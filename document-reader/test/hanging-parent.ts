/* A process with a worker that hangs forever. Prints the worker's process id once it hangs. */
import { fork } from 'node:child_process';

const worker = fork(new URL('./hanging-worker.js', import.meta.url), { env: {}, execArgv: [] });
worker.on('message', () => console.log(worker.pid));
