/* A worker whose main thread is blocked forever, as by native code that hangs. */
import { Worker } from 'node:worker_threads';

const watchParentUrl = new URL('../src/worker/watch-parent.js', import.meta.url);
const watcher = new Worker(watchParentUrl, { workerData: process.ppid });
watcher.on('online', () => {
  process.send?.('hanging', () => {
    for (;;);
  });
});
