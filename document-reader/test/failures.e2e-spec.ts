import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startTimer } from '../src/deadline.js';
import type { DocumentJob } from '../src/document-job.js';
import type { DocumentQueue } from '../src/document-queue.js';
import { DocumentReader, type DocumentReaderOptions } from '../src/document-reader.js';
import { ReaderFailedError } from '../src/errors.js';
import { WorkerProcess } from '../src/worker-process.js';
import type { Behavior, FaultyDocument } from './faulty-worker.js';
import { limits, newReader } from './new-reader.js';

const workerUrl = new URL('./faulty-worker.js', import.meta.url);
const readers: DocumentReader[] = [];

function newFaultyReader(options: Partial<DocumentReaderOptions<void>> = {}): DocumentReader {
  const reader = newReader({ workerUrl, ...options });
  readers.push(reader);
  return reader;
}

/** Returns the Markdown of each page, or its failure. */
async function read(
  reader: DocumentReader,
  document: FaultyDocument,
  signal = new AbortController().signal,
): Promise<string[]> {
  const pages = await reader.read(Buffer.from(JSON.stringify(document)), { pages: undefined }, signal);
  return pages.map((page) => ('failure' in page ? page.failure : page.markdown));
}

const readPages = (reader: DocumentReader, ...pages: Behavior[]) => read(reader, { pages });

describe('A worker of the DocumentReader', () => {
  it('should not time out because its parent stalls while its response arrives', async () => {
    const worker = await WorkerProcess.start(
      {
        candidates: { languages: ['eng'], areAutomatic: false },
        dataFolder: undefined,
        native: undefined,
        workerUrl,
        graceSeconds: 5,
        memoryBytes: 300 * 1024 * 1024,
        limits,
        startDeadline: startTimer,
        onReducedIsolation: () => undefined,
      },
      60,
    );
    const bytes = Buffer.from(JSON.stringify({ pages: ['fine'] }));
    const { signal } = new AbortController();
    const opened = worker.request({ kind: 'open', documentId: 1 }, { timeoutSeconds: 1, signal, bytes });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    await expect(opened).resolves.toMatchObject({ kind: 'opened' });
    await worker.kill();
  });
});

describe('DocumentReader under failure', () => {
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.close()));
  });

  it('should fail only the page that takes too long, and replace its worker', async () => {
    const reader = newFaultyReader({ pageTimeoutSeconds: 5 });
    const pages = await readPages(reader, 'fine', 'hang', 'fine');
    expect(pages).toEqual(['fine', 'Page 2 took longer than 5 s to read.', 'fine']);
  });

  it('should fail only the page that crashes its worker, and replace the worker', async () => {
    const pages = await readPages(newFaultyReader(), 'fine', 'crash', 'fine', 'damaged');
    expect(pages).toEqual(['fine', 'Page 2 could not be read: the OCR worker crashed.', 'fine', 'Page 4 is damaged.']);
  });

  it('should fail only the page that requires too much memory, and replace its worker', async () => {
    const reader = newFaultyReader({ workerMemoryBytes: 300 * 1024 * 1024 });
    const failure = 'Page 2 requires more than 300 MB of memory.';
    await expect(readPages(reader, 'fine', 'grow', 'fine')).resolves.toEqual(['fine', failure, 'fine']);
  });

  it('should stop reading after three consecutive pages have lost their worker', async () => {
    const reader = newFaultyReader({ pageTimeoutSeconds: 5 });
    const pages = await readPages(reader, 'crash', 'fine', 'crash', 'hang', 'crash', 'fine', 'fine');
    expect(pages).toEqual([
      'Page 1 could not be read: the OCR worker crashed.',
      'fine',
      'Page 3 could not be read: the OCR worker crashed.',
      'Page 4 took longer than 5 s to read.',
      'Page 5 could not be read: the OCR worker crashed.',
      'Page 6 was not read because reading stopped after 3 consecutive failures.',
      'Page 7 was not read because reading stopped after 3 consecutive failures.',
    ]);
    await expect(readPages(reader, 'fine')).resolves.toEqual(['fine']);
  });

  it('should stop reading a document that exceeds its time budget', async () => {
    const reader = newFaultyReader({ pageTimeoutSeconds: 60, documentBudgetSeconds: 3.5, pageBudgetSeconds: 0.5 });
    await expect(readPages(reader, 'fine', 'hang', 'fine')).resolves.toEqual([
      'fine',
      'Page 2 was not finished because the document took longer than 5 s to read.',
      'Page 3 was not read because the document took longer than 5 s to read.',
    ]);
    await expect(readPages(reader, 'fine')).resolves.toEqual(['fine']);
  });

  it.each(['oversized', 'invalid'] as const)('should kill a worker that sends an %s response', async (behavior) => {
    const reader = newFaultyReader();
    const failure = 'Page 2 could not be read: the OCR worker crashed.';
    await expect(readPages(reader, 'fine', behavior, 'fine')).resolves.toEqual(['fine', failure, 'fine']);
  });

  it('should retry a page whose worker was killed by something else', async () => {
    const reader = newFaultyReader();
    const [pid] = await readPages(reader, 'pid');
    await expect(readPages(reader, `crash-in:${pid}`)).resolves.toEqual(['fine']);
  });

  it.each([
    ['hang', 'The document could not be opened within 5 s.'],
    ['crash', 'The document could not be opened: the OCR worker crashed.'],
  ] as const)('should reject a document that makes its worker %s, and read the next one', async (opening, message) => {
    const reader = newFaultyReader({ openTimeoutSeconds: 5 });
    await expect(read(reader, { opening, pages: ['fine'] })).rejects.toMatchObject({ problem: 'corrupt', message });
    await expect(readPages(reader, 'fine')).resolves.toEqual(['fine']);
  });

  it('should free the worker of a client that disconnects', async () => {
    const reader = newFaultyReader({ graceSeconds: 0.1 });
    const controller = new AbortController();
    const aborted = read(reader, { pages: ['hang', 'hang', 'hang'] }, controller.signal);
    const waiting = readPages(reader, 'fine');
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(waiting).resolves.toEqual(['fine']);
  });

  it('should not start for a client that has already disconnected', async () => {
    await expect(
      read(newFaultyReader(), { pages: ['hang'] }, AbortSignal.abort(new Error('disconnected'))),
    ).rejects.toThrow('disconnected');
  });

  it('should not let a long document block a short one', async () => {
    const reader = newFaultyReader();
    const ended: string[] = [];
    const long = readPages(reader, ...Array.from({ length: 500 }, () => 'fine' as const)).then(() =>
      ended.push('long'),
    );
    const short = readPages(reader, 'fine', 'fine').then(() => ended.push('short'));
    await Promise.all([long, short]);
    expect(ended).toEqual(['short', 'long']);
  });

  it('should return the right pages for each of many documents, in order', async () => {
    const reader = newFaultyReader({ workers: 2 });
    const lengths = Array.from({ length: 20 }, (_, index) => index + 1);
    const documents = await Promise.all(
      lengths.map((length) =>
        readPages(reader, ...Array.from({ length }, (_, page) => (page % 2 ? 'fine' : 'damaged'))),
      ),
    );
    documents.forEach((pages, index) => {
      const expected = Array.from({ length: index + 1 }, (_, page) =>
        page % 2 ? 'fine' : `Page ${page + 1} is damaged.`,
      );
      expect(pages).toEqual(expected);
    });
  });

  it('should not pass the environment of their parent to workers', async () => {
    expect(process.env['PATH']).toBeDefined();
    await expect(readPages(newFaultyReader(), 'environment')).resolves.toEqual(['']);
  });

  it('should fail each time if no worker can start', async () => {
    const reader = newFaultyReader({ workerUrl: new URL('./missing-worker.js', import.meta.url) });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(readPages(reader, 'fine')).rejects.toBeInstanceOf(ReaderFailedError);
    }
  });

  it('should continue with the document that its queue returns', async () => {
    const waiting: DocumentJob<string>[] = [];
    const queue: DocumentQueue<string> = {
      get size() {
        return waiting.length;
      },
      push: (client, document) => (client === 'urgent' ? waiting.unshift(document) : waiting.push(document)),
      shift: () => waiting.shift(),
      remove: () => undefined,
    };
    const reader = new DocumentReader({ languages: ['eng'], workers: 1, limits, workerUrl, queue });
    try {
      const ended: string[] = [];
      const readFor = async (client: string, ...pages: Behavior[]) => {
        const { signal } = new AbortController();
        await reader.read(Buffer.from(JSON.stringify({ pages })), { pages: undefined }, signal, client);
        ended.push(client);
      };
      await Promise.all([
        readFor('usual', 'fine', 'fine'),
        readFor('other', 'fine'),
        readFor('urgent', 'fine', 'fine'),
      ]);
      expect(ended).toEqual(['urgent', 'other', 'usual']);
    } finally {
      await reader.close();
    }
  });

  it('should reject pending and later documents when it is closed', async () => {
    const reader = newFaultyReader();
    const outcome = expect(readPages(reader, 'hang')).rejects.toBeInstanceOf(ReaderFailedError);
    await reader.close();
    await outcome;
    await expect(readPages(reader, 'fine')).rejects.toBeInstanceOf(ReaderFailedError);
  });

  it('should not leave a hanging worker behind if its parent is killed', async () => {
    const parent = spawn(process.execPath, [fileURLToPath(new URL('./hanging-parent.js', import.meta.url))]);
    const [workerId] = (await once(parent.stdout, 'data')) as [Buffer];
    expect(Number(workerId.toString())).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    // The worker keeps the other end of this pipe open until it exits.
    await once(parent.stdout.resume(), 'end');
    expect(parent.stdout.readableEnded).toBe(true);
  });
});
