import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { EngineBusyError, EngineFailedError } from '../../src/engines/engine-errors.js';
import {
  TransformersEngine,
  type TransformersEngineSettings,
} from '../../src/engines/embeddings/transformers/transformers.engine.js';
import type { TransformersOptions } from '../../src/engines/embeddings/transformers/options.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { tinyModelDimensions, writeTinyModel } from './tiny-model.js';

const engines: TransformersEngine[] = [];
let model: TemporaryFolder;
let downloads: TemporaryFolder;

beforeEach(async () => {
  [model, downloads] = [await makeTemporaryFolder(), await makeTemporaryFolder()];
  await writeTinyModel(model.path);
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  await Promise.all([model.remove(), downloads.remove()]);
});

function newEngine(options: Partial<TransformersOptions>, settings?: TransformersEngineSettings): TransformersEngine {
  const engine = new TransformersEngine(
    {
      source: model.path,
      pooling: 'mean',
      normalize: true,
      prefix: '',
      dtype: 'fp32',
      maxTokens: 8192,
      threads: 1,
      downloadFolder: downloads.path,
      ...options,
    },
    settings,
  );
  engines.push(engine);
  return engine;
}

async function embed(engine: TransformersEngine, texts = ['red'], { signal } = new AbortController()) {
  return engine.embed(await engine.tokenize(texts, signal), signal);
}

/** Returns the message of the engine's failure, as it appears in the log. */
async function failureOf(engine: TransformersEngine): Promise<string> {
  const error: unknown = await embed(engine).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EngineFailedError);
  return (error as EngineFailedError).message;
}

describe('TransformersEngine under failure', () => {
  it('should fail and name the folder while weights are missing, and recover once they exist', async () => {
    await rm(path.join(model.path, 'onnx'), { recursive: true });
    const engine = newEngine({});
    expect(await failureOf(engine)).toContain(`The model in ${model.path} could not be loaded`);
    expect(engine.state()).toBe('failed');
    await writeTinyModel(model.path);
    await expect(embed(engine)).resolves.toHaveLength(1);
    expect(engine.state()).toBe('ready');
  });

  it.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'])(
    'should fail without hanging if %s is invalid',
    async (file) => {
      await writeFile(path.join(model.path, file), '{"broken');
      expect(await failureOf(newEngine({}))).toContain(model.path);
    },
  );

  it('should fail without hanging each time a worker dies', async () => {
    const workerUrl = new URL('./crashing-worker.js', import.meta.url);
    const engine = newEngine({}, { workerUrl });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(embed(engine)).rejects.toBeInstanceOf(EngineFailedError);
    }
    expect(engine.state()).toBe('failed');
  });

  it('should reject a text with more tokens than the model supports', async () => {
    await expect(embed(newEngine({}), ['sky '.repeat(20)])).rejects.toBeInstanceOf(RangeError);
  });

  it('should reject immediately while the queue is full, and embed again afterwards', async () => {
    const engine = newEngine({}, { maxWaitingTexts: 3 });
    const { signal } = new AbortController();
    const tokens = await engine.tokenize(['red', 'green', 'blue'], signal);
    const accepted = engine.embed(tokens, signal);
    await expect(engine.embed(tokens, signal)).rejects.toBeInstanceOf(EngineBusyError);
    await expect(accepted).resolves.toHaveLength(3);
    await expect(embed(engine)).resolves.toHaveLength(1);
  });

  it('should reject an aborted request while the model is loading, but finish loading it for others', async () => {
    const engine = newEngine({});
    const controller = new AbortController();
    const aborted = embed(engine, ['red'], controller);
    const other = embed(engine);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(other).resolves.toHaveLength(1);
  });

  it('should reject pending and later requests when it is closed', async () => {
    const engine = newEngine({});
    const { signal } = new AbortController();
    const tokens = await engine.tokenize(['red'], signal);
    const outcome = expect(engine.embed(tokens, signal)).rejects.toBeInstanceOf(EngineFailedError);
    await engine.close();
    await outcome;
    await expect(engine.embed(tokens, signal)).rejects.toBeInstanceOf(EngineFailedError);
  });
});

describe('TransformersEngine with a model from a hub', () => {
  let hub: Server;
  let hubUrl: string;
  let requests: string[];

  beforeEach(async () => {
    requests = [];
    hub = createServer((request, response) => {
      requests.push(request.url ?? '');
      const file = /^\/acme\/tiny\/resolve\/main\/(.+)$/.exec(request.url ?? '')?.[1];
      readFile(path.join(model.path, file ?? 'missing')).then(
        (content) => response.end(content),
        () => response.writeHead(404).end(),
      );
    });
    hub.listen(0, '127.0.0.1');
    await once(hub, 'listening');
    hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    if (!hub.listening) return;
    hub.closeAllConnections();
    hub.close();
    await once(hub, 'close');
  });

  it('should download the weights once for all threads, and not need the hub afterwards', async () => {
    const source = 'acme/tiny';
    const engine = newEngine({ source, threads: 2 }, { hubUrl });
    expect(requests).toEqual([]);
    const [vector] = await embed(engine);
    expect(vector).toHaveLength(tinyModelDimensions);
    expect(requests.filter((url) => url === '/acme/tiny/resolve/main/onnx/model.onnx')).toHaveLength(1);

    hub.closeAllConnections();
    hub.close();
    await once(hub, 'close');
    await expect(embed(newEngine({ source }, { hubUrl }))).resolves.toEqual([vector]);
  });

  it('should explain what to do if the hub is unreachable', async () => {
    hub.close();
    await once(hub, 'close');
    const failure = await failureOf(newEngine({ source: 'acme/tiny' }, { hubUrl }));
    expect(failure).toContain(`${hubUrl} is unreachable (ECONNREFUSED)`);
    expect(failure).toContain('copy the model to a folder and use that as source');
  });

  it('should name a model that the hub does not have', async () => {
    const failure = await failureOf(newEngine({ source: 'acme/other' }, { hubUrl }));
    expect(failure).toContain(`The model acme/other could not be loaded from ${hubUrl}. Check its name`);
  });
});
