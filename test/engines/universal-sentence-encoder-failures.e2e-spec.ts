import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EngineBusyError, EngineFailedError } from '../../src/engines/engine-errors.js';
import { defaultModelFolder } from '../../src/engines/embeddings/universal-sentence-encoder/model-files.js';
import {
  UniversalSentenceEncoderEngine,
  type UniversalSentenceEncoderOptions,
} from '../../src/engines/embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';
import { waitFor } from '../setup/wait-for.js';

const never = new AbortController().signal;
const sentence = 'The package arrived two weeks late.';
const engines: UniversalSentenceEncoderEngine[] = [];

function newEngine(options: UniversalSentenceEncoderOptions = {}): UniversalSentenceEncoderEngine {
  const engine = new UniversalSentenceEncoderEngine({ threads: 1, ...options });
  engines.push(engine);
  return engine;
}

async function embed(
  engine: UniversalSentenceEncoderEngine,
  texts = [sentence],
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

  it('should fail while the weights are missing, and recover once they exist', async () => {
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
      retryDelays: { minMilliseconds: 20, maxMilliseconds: 100 },
    });
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    expect(engine.state()).toBe('failed');
    await linkModel((file) => file !== 'vocab.json');
    await waitFor(() => engine.state() === 'ready');
  });

  it('should recover without another request once its worker stops crashing', async () => {
    const worker = join(folder, 'worker.mjs');
    const use = async (name: string) => {
      const source = `export * from ${JSON.stringify(new URL(name, import.meta.url).href)};\n`;
      // In one step: a thread that loads half a file never loads it again.
      await writeFile(`${worker}.new`, source);
      await rename(`${worker}.new`, worker);
    };
    await use('./crashing-worker.js');
    const retryDelays = { minMilliseconds: 20, maxMilliseconds: 100 };
    const engine = newEngine({ workerUrl: pathToFileURL(worker), retryDelays });
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    await use('../../src/engines/embeddings/universal-sentence-encoder/worker.js');
    await waitFor(() => engine.state() === 'ready');
  });

  it('should fail to tokenize without a vocabulary, both inline and in a worker', async () => {
    const engine = newEngine({ modelFolder: folder });
    await expect(engine.tokenize([sentence], never)).rejects.toBeInstanceOf(EngineFailedError);
    await expect(engine.tokenize([sentence.repeat(200)], never)).rejects.toBeInstanceOf(EngineFailedError);
    expect(engine.state()).toBe('failed');
  });

  it('should fail without hanging each time a worker dies', async () => {
    const engine = newEngine({ workerUrl: new URL('./crashing-worker.js', import.meta.url) });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    }
    expect(engine.state()).toBe('failed');
  });

  it('should fail each time if workers cannot start', async () => {
    const engine = newEngine({ workerUrl: new URL('./missing-worker.js', import.meta.url) });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    }
  });

  it('should reject immediately while the queue is full, and embed again afterwards', async () => {
    const engine = newEngine({ maxWaitingWindows: 3 });
    const accepted = embed(engine, [sentence, sentence, sentence]);
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineBusyError);
    await expect(accepted).resolves.toHaveLength(3);
    await expect(embed(engine)).resolves.toHaveLength(1);
  });

  it('should leave room for another organization while one fills the queue', async () => {
    const engine = newEngine({ maxWaitingWindows: 8 });
    const flood = { organizationId: 'flood', keyId: 'key' };
    const other = { organizationId: 'other', keyId: 'key' };
    const tokens = await engine.tokenize([sentence, sentence, sentence, sentence, sentence], never);
    const accepted = engine.embed(tokens, never, flood);
    await expect(engine.embed(tokens, never, flood)).rejects.toBeInstanceOf(EngineBusyError);
    await expect(engine.embed(tokens, never, other)).resolves.toHaveLength(5);
    await accepted;
  });

  it('should free the places of an aborted request', async () => {
    const engine = newEngine({ maxWaitingWindows: 3 });
    const controller = new AbortController();
    const aborted = embed(engine, [sentence, sentence, sentence], controller.signal);
    await expect(embed(engine)).rejects.toBeInstanceOf(EngineBusyError);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(embed(engine)).resolves.toHaveLength(1);
  });

  it('should reject pending and later requests when it is closed', async () => {
    const engine = newEngine();
    const pending = embed(engine, [sentence]);
    const outcome = expect(pending).rejects.toBeInstanceOf(EngineFailedError);
    const tokens = await engine.tokenize([sentence], never);
    await engine.close();
    await outcome;
    await expect(engine.embed(tokens, never)).rejects.toBeInstanceOf(EngineFailedError);
  });
});
