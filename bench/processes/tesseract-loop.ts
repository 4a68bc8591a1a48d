import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { runTasks } from './run-tasks.js';

export interface TesseractSettings {
  /** Images in base64. */
  pages: string[];
  workers: number;
}

export interface TesseractResult {
  pagesPerMinute: number;
}

let started: Promise<Worker[]> | undefined;

/** Runs tesseract.js; each worker takes the next page when it is free. */
async function readAll({ pages, workers: count }: TesseractSettings): Promise<TesseractResult> {
  const workers = await (started ??= startWorkers(count));
  const waiting = pages.map((page) => Buffer.from(page, 'base64'));
  const start = performance.now();
  const readUntilDone = async (worker: Worker) => {
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) await worker.recognize(page);
  };
  await Promise.all(workers.map(readUntilDone));
  return { pagesPerMinute: (pages.length * 60_000) / (performance.now() - start) };
}

async function startWorkers(count: number): Promise<Worker[]> {
  const langPath = mkdtempSync(path.join(tmpdir(), 'keycard-bench-tesseract-'));
  const data = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json');
  const file = 'eng.traineddata.gz';
  copyFileSync(path.join(path.dirname(data), '4.0.0_best_int', file), path.join(langPath, file));
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(langPath)));
  rmSync(langPath, { recursive: true, force: true });
  return workers;
}

async function startWorker(langPath: string): Promise<Worker> {
  const worker = await createWorker('eng', OEM.LSTM_ONLY, { langPath, cacheMethod: 'none' });
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO });
  return worker;
}

runTasks(readAll);
