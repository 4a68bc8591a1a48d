/*
 * Runs in a thread of its own: the main thread of a worker does not see that the service has gone while it hangs in
 * native code, and would run for ever. Told the process id of the service, which may be gone already.
 */
import { workerData } from 'node:worker_threads';

const intervalMilliseconds = 1_000;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, intervalMilliseconds);
