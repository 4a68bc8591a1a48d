import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { documentPipe, type WorkerAnswer, type WorkerRequest } from '../worker-messages.js';
import { PageReader } from './page-reader.js';

// Recognition takes what the rest of the machine leaves. First of all, since threads inherit it when they are created.
setPriority(constants.priority.PRIORITY_LOW);
new Worker(new URL('./watch-service.js', import.meta.url), { workerData: process.ppid });
// One thread and no memory between pages: the service starts as many workers as it wants threads.
sharp.concurrency(1);
sharp.cache(false);

const reader = new PageReader(process.argv.slice(2), new Socket({ fd: documentPipe, readable: true, writable: false }));

process.on('disconnect', () => process.exit());
process.on('message', (request: WorkerRequest) => {
  void reader.answer(request).then(answer);
});
answer({ kind: 'started' });

function answer(message: WorkerAnswer): void {
  process.send?.(message);
}
