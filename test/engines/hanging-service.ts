/* A service with a worker that hangs for ever: prints the worker's id once it hangs. */
import { fork } from 'node:child_process';

const worker = fork(new URL('./hanging-worker.js', import.meta.url), { env: {}, execArgv: [] });
worker.on('message', () => console.log(worker.pid));
