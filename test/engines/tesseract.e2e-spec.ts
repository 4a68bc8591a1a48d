import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { drawTextImage } from '../../document-reader/test/documents/draw-image.js';
import type { Behavior, FaultyDocument } from '../../document-reader/test/faulty-worker.js';
import { StartupError } from '../../src/common/startup-error.js';
import { EngineBusyError, EngineFailedError } from '../../src/engines/engine-errors.js';
import { Engines } from '../../src/engines/engines.module.js';
import { findNativeTesseract } from '../../src/engines/ocr/native-program.js';
import { TesseractEngine, type TesseractOptions } from '../../src/engines/ocr/tesseract.engine.js';
import { waitFor } from '../setup/wait-for.js';

const workerUrl = new URL('../../document-reader/test/faulty-worker.js', import.meta.url);
const engines: TesseractEngine[] = [];

function newEngine(options: Partial<TesseractOptions> = {}): TesseractEngine {
  const engine = new TesseractEngine({ languages: ['eng'], workers: 1, workerUrl, ...options });
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

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});

describe('The state of a TesseractEngine', () => {
  it('should be idle before its first use and ready after it', async () => {
    const engine = newEngine();
    expect(engine.state()).toBe('idle');
    await readPages(engine, 'fine');
    expect(engine.state()).toBe('ready');
  });

  it('should be failed while no worker can start', async () => {
    const engine = newEngine({ workerUrl: new URL('./missing-worker.js', import.meta.url) });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineFailedError);
      expect(engine.state()).toBe('failed');
    }
  });

  it('should be ready without another request once a worker can start', async () => {
    // Next to this module, because workers can't read other folders.
    const worker = new URL(`./late-worker-${randomUUID()}.mjs`, import.meta.url);
    try {
      const retryDelays = { minMilliseconds: 20, maxMilliseconds: 100 };
      const engine = newEngine({ workerUrl: worker, retryDelays });
      await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineFailedError);
      expect(engine.state()).toBe('failed');
      await writeFile(worker, "await import('../../document-reader/src/worker/main.js');\n");
      await waitFor(() => engine.state() === 'ready');
    } finally {
      await rm(worker, { force: true });
    }
  });
});

describe('The queue of a TesseractEngine', () => {
  it('should accept the document of another organization and read it next while one floods it', async () => {
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

  it('should reject documents immediately while too many are waiting, and accept them afterwards', async () => {
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

  it('should free the place of a client that disconnects', async () => {
    const engine = newEngine({ maxDocuments: 1, graceSeconds: 0.1 });
    const controller = new AbortController();
    const aborted = read(engine, { pages: ['hang', 'hang', 'hang'] }, controller.signal);
    await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineBusyError);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(readPages(engine, 'fine')).resolves.toEqual(['fine']);
  });

  it('should reject pending and later documents when the engine is closed', async () => {
    const engine = newEngine();
    const outcome = expect(readPages(engine, 'hang')).rejects.toBeInstanceOf(EngineFailedError);
    await engine.close();
    await outcome;
    await expect(readPages(engine, 'fine')).rejects.toBeInstanceOf(EngineFailedError);
  });
});

describe('The data of a TesseractEngine', () => {
  it('should be named with the package to install if a language has none', () => {
    const create = () => newEngine({ languages: ['eng', 'tlh'] });
    expect(create).toThrow(StartupError);
    expect(create).toThrow(/npm install @tesseract\.js-data\/tlh/);
  });

  it('should be reported if its folder is missing', () => {
    expect(() => newEngine({ languages: 'auto', dataFolder: '/missing' })).toThrow(StartupError);
  });
});

const { program, problem } = findNativeTesseract();

(program === undefined ? describe.skip : describe)(`The engine tesseract-native (${problem ?? 'installed'})`, () => {
  it('should read a page', async () => {
    const engines = new Engines();
    try {
      const model = engines.get({ engine: 'tesseract-native', languages: 'auto' }, { ocrWorkerMemoryMb: 1024 });
      if (model.task !== 'ocr') throw new Error('The engine has another task.');
      const document = await drawTextImage('The harbour is closed.', { size: [240, 120] });
      const pages = await model.servedBy.engine.read(document, { pages: undefined }, new AbortController().signal);
      expect(pages).toMatchObject([{ markdown: 'The harbour is closed.' }]);
    } finally {
      await engines.onApplicationShutdown();
    }
  });
});
