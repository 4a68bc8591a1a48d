/* A service that has a document read by a prying worker, and prints the worker's report. */
import { Logger } from '@nestjs/common';
import { TesseractEngine } from '../../src/engines/ocr/tesseract/tesseract.engine.js';

// Standard output is for the report. The service warns if it isn't allowed to run workers as another user.
Logger.overrideLogger({ log: console.error, warn: console.error, error: console.error });

const workerUrl = new URL('./prying-worker.js', import.meta.url);
const engine = new TesseractEngine({ languages: ['eng'], workers: 1, workerUrl });
const document = Buffer.from(process.argv.at(-1) ?? '');
const [page] = await engine.read(document, { pages: undefined }, new AbortController().signal);
console.log(page === undefined || 'failure' in page ? page?.failure : page.markdown);
await engine.close();
