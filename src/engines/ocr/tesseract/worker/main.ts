import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { answerRequests } from './answer-requests.js';
import { PageReader } from './page-reader.js';
import { limitWasmMemory } from './wasm-memory.js';

/** For Node itself, and what it has loaded. */
const memoryBesidesWasmBytes = 128 * 1024 * 1024;

// Recognition takes what the rest of the machine leaves. First of all, since threads inherit it when they are created.
setPriority(constants.priority.PRIORITY_LOW);
new Worker(new URL('./watch-service.js', import.meta.url), { workerData: process.ppid });
// One thread and no memory between pages: the service starts as many workers as it wants threads.
sharp.concurrency(1);
sharp.cache(false);

const [memoryBytes, ...languages] = process.argv.slice(2);
limitWasmMemory(Number(memoryBytes) - memoryBesidesWasmBytes);
const reader = new PageReader(languages);
answerRequests((request, document) => reader.answer(request, document));
