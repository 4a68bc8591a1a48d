import { TransformersEngine } from '../../src/engines/embeddings/transformers/transformers.engine.js';
import type { TransformersOptions } from '../../src/engines/embeddings/transformers/options.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { meanOf, tinyModelDimensions, tinyModelMaxTokens, tinyModelTokens, writeTinyModel } from './tiny-model.js';

const never = new AbortController().signal;
const engines: TransformersEngine[] = [];
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  await writeTinyModel(folder.path);
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});
afterAll(() => folder.remove());

function newEngine(options: Partial<TransformersOptions> = {}): TransformersEngine {
  const engine = new TransformersEngine({
    source: folder.path,
    pooling: 'mean',
    normalize: false,
    prefix: '',
    dtype: 'fp32',
    maxTokens: 8192,
    threads: 1,
    downloadFolder: folder.path,
    ...options,
  });
  engines.push(engine);
  return engine;
}

async function embed(engine: TransformersEngine, ...texts: string[]): Promise<number[][]> {
  const { signal } = new AbortController();
  const vectors = await engine.embed(await engine.tokenize(texts, signal), signal);
  return vectors.map((vector) => [...vector]);
}

function expectNear(actual: number[] | undefined, expected: number[] | undefined): void {
  expect(actual).toHaveLength(expected?.length ?? -1);
  actual?.forEach((value, dimension) => expect(Math.abs(value - (expected?.[dimension] ?? NaN))).toBeLessThan(1e-5));
}

const normalized = (vector: number[]) => vector.map((value) => value / Math.hypot(...vector));

describe('TransformersEngine', () => {
  it.each([
    ['mean', (tokens: number[][]) => meanOf(tokens)],
    ['cls', (tokens: number[][]) => tokens[0]],
    ['last_token', (tokens: number[][]) => tokens.at(-1)],
  ] as const)('should pool token vectors by %s', async (pooling, pool) => {
    const text = 'red apple blue sky';
    const [vector] = await embed(newEngine({ pooling }), text);
    expectNear(vector, pool(tinyModelTokens(text)));
  });

  it('should scale vectors to length 1 if normalize is set', async () => {
    const [vector] = await embed(newEngine({ normalize: true }), 'green leaf');
    expectNear(vector, normalized(meanOf(tinyModelTokens('green leaf'))));
  });

  it('should prepend the prefix to each text', async () => {
    const vectors = await embed(newEngine({ prefix: 'query ' }), 'sky', 'leaf');
    expectNear(vectors[0], meanOf(tinyModelTokens('query sky')));
    expectNear(vectors[1], meanOf(tinyModelTokens('query leaf')));
  });

  it('should return the same vector for a text alone and in a batch with longer ones', async () => {
    const texts = ['red', 'red apple', 'blue sky green leaf red apple', 'unheard of', 'sky sky sky'];
    const engine = newEngine({ threads: 2 });
    const together = await embed(engine, ...texts);
    for (const [index, text] of texts.entries()) {
      expectNear((await embed(engine, text))[0], together[index]);
      expectNear(together[index], meanOf(tinyModelTokens(text)));
    }
  });

  it('should return its own vectors to each of many concurrent requests', async () => {
    const engine = newEngine({ threads: 2 });
    const words = ['red', 'green', 'blue', 'apple', 'leaf', 'sky'];
    const texts = Array.from({ length: 60 }, (_, n) =>
      `${words[n % 6]} ${words[(n * 5 + 1) % 6]} `.repeat(1 + (n % 5)).trim(),
    );
    const results = await Promise.all(texts.map((text) => embed(engine, text)));
    results.forEach(([vector], index) => expectNear(vector, meanOf(tinyModelTokens(texts[index] ?? ''))));
  });

  it('should report the dimensions and the maximum number of tokens of the model', async () => {
    expect(await newEngine().describe(never)).toMatchObject({
      dimensions: tinyModelDimensions,
      maxTokensPerText: tinyModelMaxTokens,
    });
  });

  it('should let the operator lower the maximum number of tokens', async () => {
    expect(await newEngine({ maxTokens: 5 }).describe(never)).toMatchObject({ maxTokensPerText: 5 });
  });

  it('should count tokens, including those that the model adds', async () => {
    const texts = ['red', 'red apple', '', 'sky '.repeat(20)];
    expect((await newEngine().tokenize(texts, never)).tokenCounts).toEqual([3, 4, 2, 22]);
  });

  it('should not tokenize all of a text far over the limit', async () => {
    const { tokenCounts } = await newEngine().tokenize(['sky '.repeat(1_000_000)], never);
    expect(tokenCounts[0]).toBeGreaterThan(tinyModelMaxTokens);
    expect(tokenCounts[0]).toBeLessThan(1_000);
  });

  it('should count all tokens of a long text that has only a few', async () => {
    const gap = ' '.repeat(100_000);
    const { tokenCounts } = await newEngine().tokenize([`red${gap}sky`, `red${gap}${'sky '.repeat(1_000_000)}`], never);
    expect(tokenCounts[0]).toBe(4);
    expect(tokenCounts[1]).toBeGreaterThan(tinyModelMaxTokens);
    expect(tokenCounts[1]).toBeLessThan(100_000);
  });

  it('should load the weights with the configured precision', async () => {
    const other = await makeTemporaryFolder();
    await writeTinyModel(other.path, 'model_quantized.onnx');
    const [vector] = await embed(newEngine({ source: other.path, dtype: 'q8' }), 'red');
    await other.remove();
    expectNear(vector, meanOf(tinyModelTokens('red')));
  });

  it('should be idle before its first use and ready after it', async () => {
    const engine = newEngine();
    expect(engine.state()).toBe('idle');
    await embed(engine, 'red');
    expect(engine.state()).toBe('ready');
  });
});
