import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EngineBusyError, EngineFailedError } from '../../src/engines/engine-errors.js';
import { TesseractEngine, type TesseractOptions } from '../../src/engines/ocr/tesseract/tesseract.engine.js';
import { WorkerProcess } from '../../src/engines/ocr/tesseract/worker-process.js';
import { waitFor } from '../setup/wait-for.js';
import type { Behavior, FaultyDocument } from './faulty-reader.js';

const faultyReader = new URL('./faulty-reader.js', import.meta.url);
const engines: TesseractEngine[] = [];

function newEngine(options: Partial<TesseractOptions> = {}): TesseractEngine {
  const engine = new TesseractEngine({ languages: ['eng'], workers: 1, workerUrl: faultyReader, ...options });
  engines.push(engine);
  return engine;
}

/** Returns the Markdown of each page, or its failure. */
async function read(
  engine: TesseractEngine,
  document: FaultyDocument,
  signal = new AbortController().signal,
): Promise<string[]> {
  const pages = await engine.read(Buffer.from(JSON.stringify(document)), { pages: undefined }, signal);
  return pages.map((page) => ('failure' in page ? page.failure : page.markdown));
}

const readPages = (engine: TesseractEngine, ...pages: Behavior[]) => read(engine, { pages });

describe('A worker of the TesseractEngine', () => {
  it('should not time out because the service stalls while its response arrives', async () => {
    const worker = await WorkerProcess.start(
      {
        candidates: { languages: ['eng'], areAutomatic: false },
        dataFolder: undefined,
        native: undefined,
        workerUrl: faultyReader,
        graceSeconds: 5,
        memoryBytes: 300 * 1024 * 1024,
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

describe('TesseractEngine under failure', () => {
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  });

  it('should be idle before its first use and ready after it', async () => {
    const engine = newEngine();
    expect(engine.state()).toBe('idle');
    await readPages(engine, 'fine');
    expect(engine.state()).toBe('ready');
  });

  it('should fail only the page that takes too long, and replace its worker', async () => {
    const engine = newEngine({ pageTimeoutSeconds: 5 });
    const pages = await readPages(engine, 'fine', 'hang', 'fine');
    expect(pages).toEqual(['fine', 'Page 2 took longer than 5 s to read.', 'fine']);
  });

  it('should fail only the page that crashes its worker, and replace the worker', async () => {
    const pages = await readPages(newEngine(), 'fine', 'crash', 'fine', 'damaged');
    expect(pages).toEqual(['fine', 'Page 2 could not be read: the OCR worker crashed.', 'fine', 'Page 4 is damaged.']);
  });

  it('should fail only the page that requires too much memory, and replace its worker', async () => {
    const engine = newEngine({ workerMemoryBytes: 300 * 1024 * 1024 });
    const failure = 'Page 2 requires more than 300 MB of memory.';
    await expect(readPages(engine, 'fine', 'grow', 'fine')).resolves.toEqual(['fine', failure, 'fine']);
  });

  it('should stop reading after three consecutive pages have lost their worker', async () => {
    const engine = newEngine({ pageTimeoutSeconds: 5 });
    const pages = await readPages(engine, 'crash', 'fine', 'crash', 'hang', 'crash', 'fine', 'fine');
    expect(pages).toEqual([
      'Page 1 could not be read: the OCR worker crashed.',
      'fine',
      'Page 3 could not be read: the OCR worker crashed.',
      'Page 4 took longer than 5 s to read.',
      'Page 5 could not be read: the OCR worker crashed.',
      'Page 6 was not read because reading stopped after 3 consecutive failures.',
      'Page 7 was not read because reading stopped after 3 consecutive failures.',
    ]);
    await expect(readPages(engine, 'fine')).resolves.toEqual(['fine']);
  });

  it('should stop reading a document that exceeds its time budget', async () => {
    const engine = newEngine({ pageTimeoutSeconds: 60, documentBudgetSeconds: 3.5, pageBudgetSeconds: 0.5 });
    await expect(readPages(engine, 'fine', 'hang', 'fine')).resolves.toEqual([
      'fine',
      'Page 2 was not finished because the document took longer than 5 s to read.',
      'Page 3 was not read because the document took longer than 5 s to read.',
    ]);
    await expect(readPages(engine, 'fine')).resolves.toEqual(['fine']);
  });

  it.each(['oversized', 'invalid'] as const)('should kill a worker that sends an %s response', async (behavior) => {
    const engine = newEngine();
    const failure = 'Page 2 could not be read: the OCR worker crashed.';
    await expect(readPages(engine, 'fine', behavior, 'fine')).resolves.toEqual(['fine', failure, 'fine']);
  });

  it('should retry a page whose worker was killed by something else', async () => {
    const engine = newEngine();
    const [pid] = await readPages(engine, 'pid');
    await expect(readPages(engine, `crash-in:${pid}`)).resolves.toEqual(['fine']);
  });

  it.each([
    ['hang', 'The document could not be opened within 5 s.'],
    ['crash', 'The document could not be opened: the OCR worker crashed.'],
  ] as const)('should reject a document that makes its worker %s, and read the next one', async (opening, message) => {
    const engine = newEngine({ openTimeoutSeconds: 5 });
    await expect(read(engine, { opening, pages: ['fine'] })).rejects.toMatchObject({ problem: 'corrupt', message });
    await expect(readPages(engine, 'fine')).resolves.toEqual(['fine']);
  });

  it('should fail each time if no worker can start', async () => {
    const engine = newEngine({ workerUrl: new URL('./missing-reader.js', import.meta.url) });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineFailedError);
      expect(engine.state()).toBe('failed');
    }
  });

  it('should recover without another request once a worker can start', async () => {
    // Next to this module, because workers can't read other folders.
    const worker = new URL(`./late-reader-${randomUUID()}.mjs`, import.meta.url);
    try {
      const retryDelays = { minMilliseconds: 20, maxMilliseconds: 100 };
      const engine = newEngine({ workerUrl: worker, retryDelays });
      await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineFailedError);
      expect(engine.state()).toBe('failed');
      await writeFile(worker, "await import('../../src/engines/ocr/tesseract/worker/main.js');\n");
      await waitFor(() => engine.state() === 'ready');
    } finally {
      await rm(worker, { force: true });
    }
  });

  it('should accept the document of another organization and read it next while one floods the queue', async () => {
    const engine = newEngine({ maxDocuments: 16 });
    const ended: string[] = [];
    const readFor = async (organizationId: string) => {
      const document = Buffer.from(JSON.stringify({ pages: ['fine', 'fine'] }));
      const client = { organizationId, keyId: 'key' };
      await engine.read(document, { client, pages: undefined }, new AbortController().signal);
      ended.push(organizationId);
    };
    const flood = Array.from({ length: 20 }, () =>
      readFor('flood').catch((error: unknown) => expect(error).toBeInstanceOf(EngineBusyError)),
    );
    expect(() => engine.rejectIfBusy({ organizationId: 'flood', keyId: 'other' })).toThrow(EngineBusyError);
    await readFor('other');
    // Its two pages alternate with two pages of the others.
    expect(ended.length).toBeLessThanOrEqual(3);
    await Promise.all(flood);
    expect(ended).toHaveLength(13);
  });

  it('should reject immediately while too many documents are waiting, and read again afterwards', async () => {
    const engine = newEngine({ maxDocuments: 2 });
    const accepted = [readPages(engine, 'fine'), readPages(engine, 'fine')];
    expect(() => engine.rejectIfBusy()).toThrow(EngineBusyError);
    await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineBusyError);
    await Promise.all(accepted);
    engine.rejectIfBusy();
    await expect(readPages(engine, 'fine')).resolves.toEqual(['fine']);
  });

  it('should reject a document if the waiting documents are too large in total', async () => {
    const engine = newEngine({ maxBytes: 30 });
    const accepted = readPages(engine, 'fine');
    await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineBusyError);
    await expect(accepted).resolves.toEqual(['fine']);
  });

  it('should free the place and the worker of a client that disconnects', async () => {
    const engine = newEngine({ maxDocuments: 1, graceSeconds: 0.1 });
    const controller = new AbortController();
    const aborted = read(engine, { pages: ['hang', 'hang', 'hang'] }, controller.signal);
    await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineBusyError);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(readPages(engine, 'fine')).resolves.toEqual(['fine']);
  });

  it('should not start for a client that has already disconnected', async () => {
    await expect(read(newEngine(), { pages: ['hang'] }, AbortSignal.abort(new Error('disconnected')))).rejects.toThrow(
      'disconnected',
    );
  });

  it('should not let a long document block a short one', async () => {
    const engine = newEngine();
    const ended: string[] = [];
    const long = readPages(engine, ...Array.from({ length: 500 }, () => 'fine' as const)).then(() =>
      ended.push('long'),
    );
    const short = readPages(engine, 'fine', 'fine').then(() => ended.push('short'));
    await Promise.all([long, short]);
    expect(ended).toEqual(['short', 'long']);
  });

  it('should return the right pages for each of many documents, in order', async () => {
    const engine = newEngine({ workers: 2 });
    const lengths = Array.from({ length: 20 }, (_, index) => index + 1);
    const documents = await Promise.all(
      lengths.map((length) =>
        readPages(engine, ...Array.from({ length }, (_, page) => (page % 2 ? 'fine' : 'damaged'))),
      ),
    );
    documents.forEach((pages, index) => {
      const expected = Array.from({ length: index + 1 }, (_, page) =>
        page % 2 ? 'fine' : `Page ${page + 1} is damaged.`,
      );
      expect(pages).toEqual(expected);
    });
  });

  it('should not pass the environment of the service to workers', async () => {
    expect(process.env['PATH']).toBeDefined();
    await expect(readPages(newEngine(), 'environment')).resolves.toEqual(['']);
  });

  it('should reject pending and later documents when it is closed', async () => {
    const engine = newEngine();
    const outcome = expect(readPages(engine, 'hang')).rejects.toBeInstanceOf(EngineFailedError);
    await engine.close();
    await outcome;
    await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineFailedError);
  });

  it('should not leave a hanging worker behind if the service is killed', async () => {
    const service = spawn(process.execPath, [fileURLToPath(new URL('./hanging-service.js', import.meta.url))]);
    const [workerId] = (await once(service.stdout, 'data')) as [Buffer];
    expect(Number(workerId.toString())).toBeGreaterThan(0);
    service.kill('SIGKILL');
    // The worker keeps the other end of this pipe open until it exits.
    await once(service.stdout.resume(), 'end');
    expect(service.stdout.readableEnded).toBe(true);
  });

  it('should name the package to install for a language without data', () => {
    expect(() => newEngine({ languages: ['eng', 'tlh'] })).toThrow(/npm install @tesseract\.js-data\/tlh/);
  });
});
