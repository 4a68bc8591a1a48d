/* A worker whose main thread is blocked forever, as by native code that hangs. */
import { Worker } from 'node:worker_threads';

const watchServiceUrl = new URL('../../src/engines/ocr/tesseract/worker/watch-service.js', import.meta.url);
const watcher = new Worker(watchServiceUrl, { workerData: process.ppid });
watcher.on('online', () => {
  process.send?.('hanging', () => {
    for (;;);
  });
});
