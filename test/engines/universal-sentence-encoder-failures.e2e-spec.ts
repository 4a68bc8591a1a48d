import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { EngineBusyError, EngineFailedError } from '../../src/engines/engine-errors.js';
import { defaultModelFolder } from '../../src/engines/embeddings/universal-sentence-encoder/model-files.js';
import {
  UniversalSentenceEncoderEngine,
  type UniversalSentenceEncoderOptions,
} from '../../src/engines/embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';

const never = new AbortController().signal;
const SENTENCE = 'The package arrived two weeks late.';
const engines: UniversalSentenceEncoderEngine[] = [];

function newEngine(options: UniversalSentenceEncoderOptions = {}): UniversalSentenceEncoderEngine {
  const engine = new UniversalSentenceEncoderEngine({ threads: 1, ...options });
  engines.push(engine);
  return engine;
}

async function embed(
  engine: UniversalSentenceEncoderEngine,
  texts = [SENTENCE],
  signal = never,
): Promise<Float32Array[]> {
  return engine.embed(await engine.tokenize(texts, never), signal);
}

describe('UniversalSentenceEncoderEngine under failure', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keycard-model-'));
  });

  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await rm(folder, { recursive: true });
  });

  async function linkModel(include: (file: string) => boolean): Promise<void> {
    const files = await readdir(defaultModelFolder());
    for (const file of files.filter(include)) await symlink(join(defaultModelFolder(), file), join(folder, file));
  }

  it('should be idle before its first use and ready after it', async () => {
    const engine = newEngine();
    expect(engine.state()).toBe('idle');
    await embed(engine);
    expect(engine.state()).toBe('ready');
  });

  it('should fail while the weights are missing and recover once they are there', async () => {
    await linkModel((file) => file === 'vocab.json');
    const engine = newEngine({ modelFolder: folder });
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    expect(engine.state()).toBe('failed');
    await linkModel((file) => file !== 'vocab.json');
    await expect(embed(engine)).resolves.toHaveLength(1);
    expect(engine.state()).toBe('ready');
  });

  it('should recover from missing weights without another request', async () => {
    await linkModel((file) => file === 'vocab.json');
    const engine = newEngine({
      modelFolder: folder,
      retryPauses: { shortestMilliseconds: 20, longestMilliseconds: 100 },
    });
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    expect(engine.state()).toBe('failed');
    await linkModel((file) => file !== 'vocab.json');
    while (engine.state() !== 'ready') await delay(10);
  });

  it('should recover once its worker no longer dies', async () => {
    const worker = join(folder, 'worker.mjs');
    const use = (name: string) =>
      writeFile(worker, `export * from ${JSON.stringify(new URL(name, import.meta.url).href)};\n`);
    await use('./crashing-worker.js');
    const retryPauses = { shortestMilliseconds: 20, longestMilliseconds: 100 };
    const engine = newEngine({ workerUrl: pathToFileURL(worker), retryPauses });
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    await use('../../src/engines/embeddings/universal-sentence-encoder/worker.js');
    while (engine.state() !== 'ready') await delay(10);
  });

  it('should fail to tokenize without a vocabulary, inline and in the worker', async () => {
    const engine = newEngine({ modelFolder: folder });
    await expect(engine.tokenize([SENTENCE], never)).rejects.toBeInstanceOf(EngineFailedError);
    await expect(engine.tokenize([SENTENCE.repeat(200)], never)).rejects.toBeInstanceOf(EngineFailedError);
    expect(engine.state()).toBe('failed');
  });

  it('should fail each time a worker dies of a batch, and never hang', async () => {
    const engine = newEngine({ workerUrl: new URL('./crashing-worker.js', import.meta.url) });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    }
    expect(engine.state()).toBe('failed');
  });

  it('should fail each time when the workers cannot even start', async () => {
    const engine = newEngine({ workerUrl: new URL('./no-such-worker.js', import.meta.url) });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    }
  });

  it('should answer busy at once when the queue is full, and embed again once it has drained', async () => {
    const engine = newEngine({ maxWaitingWindows: 3 });
    const accepted = embed(engine, [SENTENCE, SENTENCE, SENTENCE]);
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineBusyError);
    await expect(accepted).resolves.toHaveLength(3);
    await expect(embed(engine)).resolves.toHaveLength(1);
  });

  it('should leave room for another organization when one fills the queue', async () => {
    const engine = newEngine({ maxWaitingWindows: 8 });
    const flood = { organizationId: 'flood', keyId: 'key' };
    const other = { organizationId: 'other', keyId: 'key' };
    const tokens = await engine.tokenize([SENTENCE, SENTENCE, SENTENCE, SENTENCE, SENTENCE], never);
    const accepted = engine.embed(tokens, never, flood);
    await expect(engine.embed(tokens, never, flood)).rejects.toBeInstanceOf(EngineBusyError);
    await expect(engine.embed(tokens, never, other)).resolves.toHaveLength(5);
    await accepted;
  });

  it('should free the places of a request that is aborted', async () => {
    const engine = newEngine({ maxWaitingWindows: 3 });
    const controller = new AbortController();
    const aborted = embed(engine, [SENTENCE, SENTENCE, SENTENCE], controller.signal);
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineBusyError);
    controller.abort(new Error('hung up'));
    await expect(aborted).rejects.toThrow('hung up');
    await expect(embed(engine)).resolves.toHaveLength(1);
  });

  it('should reject what is not answered when it is closed, and all that comes later', async () => {
    const engine = newEngine();
    const pending = embed(engine, [SENTENCE]);
    const outcome = expect(pending).rejects.toBeInstanceOf(EngineFailedError);
    const tokens = await engine.tokenize([SENTENCE], never);
    await engine.close();
    await outcome;
    await expect(engine.embed(tokens, never)).rejects.toBeInstanceOf(EngineFailedError);
  });
});
