import type { StaticOptions } from '../../src/engines/embeddings/static/options.js';
import { findStaticModelProblem } from '../../src/engines/embeddings/static/static-model.js';
import { StaticEngine } from '../../src/engines/embeddings/static/static.engine.js';
import { EngineFailedError } from '../../src/engines/engine-errors.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import {
  fileWith,
  floats,
  halves,
  integers,
  matrix,
  safetensors,
  type StaticModelFiles,
  writeStaticModel,
} from './static-model-files.js';

const never = new AbortController().signal;
const engines: StaticEngine[] = [];
let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  await folder.remove();
});

async function newEngine(files: StaticModelFiles = {}, options: Partial<StaticOptions> = {}): Promise<StaticEngine> {
  await writeStaticModel(folder.path, files);
  const defaults = { source: folder.path, normalize: undefined, prefix: '', maxTokens: 8192, threads: 1 };
  const engine = new StaticEngine({ ...defaults, ...options });
  engines.push(engine);
  return engine;
}

async function embed(engine: StaticEngine, ...texts: string[]): Promise<number[][]> {
  const vectors = await engine.embed(await engine.tokenize(texts, never), never);
  return vectors.map((vector) => [...vector]);
}

describe('StaticEngine', () => {
  it('should return the mean of token vectors, without unknown tokens', async () => {
    const engine = await newEngine();
    expect(await embed(engine, 'red', 'Red green', 'red unheard of green', 'blue blue apple apple')).toEqual([
      [1, 2],
      [2, -1],
      [2, -1],
      [-1, 4],
    ]);
  });

  it('should return zeros for a text of unknown tokens, and report it', async () => {
    const engine = await newEngine({}, { normalize: true });
    expect(await embed(engine, 'unheard of')).toEqual([[0, 0]]);
    expect((await engine.tokenize(['red', 'red unheard'], never)).hasUnknownText).toBe(false);
    expect((await engine.tokenize(['red', 'unheard'], never)).hasUnknownText).toBe(true);
  });

  it.each<[string, StaticModelFiles, boolean | undefined, number[]]>([
    ['not by default', {}, undefined, [3, -4]],
    ['as config.json says', { config: { normalize: true } }, undefined, [0.6, -0.8]],
    ['as modules.json says', { modules: [{ type: 'sentence_transformers.models.Normalize' }] }, undefined, [0.6, -0.8]],
    ['as the option says', { config: { normalize: true } }, false, [3, -4]],
  ])('should normalize %s', async (_, files, normalize, expected) => {
    const [vector] = await embed(await newEngine(files, { normalize }), 'green');
    expected.forEach((value, dimension) => expect(vector?.[dimension]).toBeCloseTo(value, 6));
  });

  it('should multiply token vectors by their weights', async () => {
    const weights = floats([6], [1, 1, 0.5, 2, 1, 1]);
    const engine = await newEngine({ tensors: { embeddings: matrix(), weights } });
    expect(await embed(engine, 'red green')).toEqual([[3.25, -3.5]]);
  });

  it('should find the rows of tokens that share them', async () => {
    const tensors = { embeddings: floats([2, 2], [1, 1, 4, 2]), mapping: integers([0, 0, 0, 1, 1, 0]) };
    expect(await embed(await newEngine({ tensors }), 'red green', 'blue')).toEqual([
      [2.5, 1.5],
      [4, 2],
    ]);
  });

  it.each<[string, StaticModelFiles['tensors']]>([
    ['F16', { embeddings: halves('F16', [6, 2], [0, 0, 0, 0, 0x3c00, 0xc000, 0x3555, 0x0001, 0, 0, 0, 0]) }],
    ['BF16', { embeddings: halves('BF16', [6, 2], [0, 0, 0, 0, 0x3f80, 0xc000, 0x3eab, 0x3380, 0, 0, 0, 0]) }],
    ['sentence-transformers', { 'embedding.weight': floats([6, 2], [0, 0, 0, 0, 1, -2, 1 / 3, 0, 0, 0, 0, 0]) }],
  ])('should read a matrix in the format of %s', async (_, tensors) => {
    const [red, green] = await embed(await newEngine({ tensors }), 'red', 'green');
    expect(red).toEqual([1, -2]);
    expect(green?.[0]).toBeCloseTo(1 / 3, 2);
    expect(green?.[1]).toBeCloseTo(0, 6);
  });

  it('should prepend the prefix, and count all tokens', async () => {
    const engine = await newEngine({}, { prefix: 'blue ' });
    expect(await embed(engine, 'apple')).toEqual([[-1, 4]]);
    expect((await engine.tokenize(['apple', 'red unheard'], never)).tokenCounts).toEqual([2, 3]);
  });

  it('should stop counting the tokens of a text far over the limit', async () => {
    const engine = await newEngine({}, { maxTokens: 5 });
    expect(await engine.describe(never)).toMatchObject({ dimensions: 2, maxTokensPerText: 5 });
    const { tokenCounts } = await engine.tokenize(['red '.repeat(1_000_000)], never);
    expect(tokenCounts[0]).toBeGreaterThan(5);
    expect(tokenCounts[0]).toBeLessThan(1000);
  });

  it('should fail if the matrix contains values that are no numbers', async () => {
    const engine = await newEngine({ tensors: { embeddings: floats([6, 2], Array<number>(12).fill(NaN)) } });
    await expect(embed(engine, 'red')).rejects.toThrow(EngineFailedError);
    await expect(embed(engine, 'red')).rejects.toThrow(/model\.safetensors contains values that are no finite numbers/);
  });

  it('should fail if a token is mapped to a row that does not exist', async () => {
    const tensors = { embeddings: matrix(), mapping: integers([0, 0, 0, 0, 0, 6]) };
    await expect(embed(await newEngine({ tensors }), 'red')).rejects.toThrow(/maps tokens to rows that do not exist/);
  });

  it('should embed the texts of concurrent requests in order', async () => {
    const engine = await newEngine({}, { threads: 2 });
    const results = await Promise.all(Array.from({ length: 8 }, () => embed(engine, 'red', 'blue red')));
    for (const vectors of results) {
      expect(vectors).toEqual([
        [1, 2],
        [0.5, 5],
      ]);
    }
  });
});

describe('findStaticModelProblem', () => {
  it('should accept a complete model', async () => {
    await writeStaticModel(folder.path);
    expect(findStaticModelProblem(folder.path)).toBeUndefined();
  });

  it('should name the missing files', () => {
    expect(findStaticModelProblem(folder.path)).toMatch(/^is the folder .*, which lacks the files of a static model: /);
  });

  const entry = (fields: object) => fileWith(JSON.stringify({ embeddings: fields }), Buffer.alloc(48));
  const huge = Buffer.concat([Buffer.alloc(8, 0xff), Buffer.alloc(100)]);

  it.each<[string, StaticModelFiles, RegExp]>([
    ['an empty file', { matrixFile: Buffer.alloc(0) }, /model\.safetensors is truncated$/],
    ['a header beyond the end', { matrixFile: huge }, /is truncated, or is no safetensors file$/],
    ['a truncated file', { matrixFile: safetensors({ embeddings: matrix() }).subarray(0, -1) }, /ends after the file$/],
    ['a header that is no JSON', { matrixFile: fileWith('{"embeddings"') }, /its header is not a JSON object$/],
    ['a header that is a list', { matrixFile: fileWith('[]') }, /its header is not a JSON object$/],
    ['an entry without a type', { matrixFile: entry({ shape: [6, 2] }) }, /invalid entry for the tensor embeddings$/],
    [
      'a negative size',
      { matrixFile: entry({ dtype: 'F32', shape: [-6, 2], data_offsets: [0, 48] }) },
      /invalid entry for the tensor embeddings$/,
    ],
    [
      'a shape larger than the data',
      { matrixFile: entry({ dtype: 'F32', shape: [2 ** 40, 2 ** 40], data_offsets: [0, 48] }) },
      /unlike its shape$/,
    ],
    [
      'overlapping offsets in reverse',
      { matrixFile: entry({ dtype: 'F32', shape: [6, 2], data_offsets: [48, 0] }) },
      /unlike its shape$/,
    ],
    ['an unknown type', { matrixFile: entry({ dtype: 'F8', shape: [6, 8], data_offsets: [0, 48] }) }, /has no matrix/],
    ['no matrix', { tensors: { other: matrix() } }, /has no matrix named embeddings or embedding\.weight/],
    ['a matrix of one dimension', { tensors: { embeddings: floats([12], Array<number>(12).fill(0)) } }, /no matrix/],
    ['too few rows', { tensors: { embeddings: floats([5, 2], Array<number>(10).fill(0)) } }, /fewer rows .* are 6$/],
    [
      'too few weights',
      { tensors: { embeddings: matrix(), weights: floats([5], [1, 1, 1, 1, 1]) } },
      /fewer rows than the tokenizer has tokens/,
    ],
    ['a broken tokenizer', { tokenizer: '{"model' }, /whose tokenizer\.json is not valid$/],
    ['a tokenizer of another kind', { tokenizer: { model: { type: 'Magic' } } }, /whose tokenizer\.json /],
    ['a tokenizer that is a list', { tokenizer: [] }, /whose tokenizer\.json /],
    ['an invalid configuration', { config: { normalize: 'yes' } }, /whose config\.json is not valid$/],
  ])('should reject %s', async (_, files, expected) => {
    await writeStaticModel(folder.path, files);
    expect(findStaticModelProblem(folder.path)).toMatch(expected);
  });
});
