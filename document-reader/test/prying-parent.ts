/* Has a document read by a prying worker, and prints the worker's report. */
import { newReader } from './new-reader.js';

const reader = newReader({ workerUrl: new URL('./prying-worker.js', import.meta.url) });
const document = Buffer.from(process.argv.at(-1) ?? '');
const [page] = await reader.read(document, { pages: undefined }, new AbortController().signal);
console.log(page === undefined || 'failure' in page ? page?.failure : page.markdown);
await reader.close();
