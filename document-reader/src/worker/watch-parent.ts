/*
 * Ends a worker process when its parent has exited. Runs in its own thread, because the main thread doesn't notice while
 * it is blocked in native code. `workerData` is the parent's process id; the parent may have exited already.
 */
import { workerData } from 'node:worker_threads';

const intervalMilliseconds = 1_000;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, intervalMilliseconds);
