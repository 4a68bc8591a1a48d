/*
 * Measures how often embedded models find a paraphrase: the bundled model, and static models distilled from it the way
 * model2vec does it, by embedding each token of its vocabulary.
 *
 *   npm run build:all && node build/bench/paraphrases.js
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EmbeddingEngine } from '../src/engines/embeddings/embedding-engine.js';
import { StaticEngine } from '../src/engines/embeddings/static/static.engine.js';
import {
  defaultModelFolder,
  readVocabulary,
} from '../src/engines/embeddings/universal-sentence-encoder/model-files.js';
import { UniversalSentenceEncoderEngine } from '../src/engines/embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';
import { germanParaphrases, paraphrases } from '../test/engines/paraphrases.js';
import { floats, writeStaticModel } from '../test/engines/static-model-files.js';
import { makeSentences } from './data/sentences.js';

const wordStart = '\u2581';
const unknownId = 0;
/** The parameter of "smooth inverse frequency" (Arora et al., 2017). Smaller values give frequent tokens less weight. */
const smoothing = 0.001;
const batchSize = 32;
const sentenceCount = 1024;

/** Writes a model in model2vec's format with the bundled model's tokens, and their vectors around the mean vector. */
async function distill(engine: EmbeddingEngine, folder: string, isWeighted: boolean): Promise<void> {
  const vocabulary = readVocabulary(defaultModelFolder());
  const vectors: Float32Array[] = [];
  for (let start = 0; start < vocabulary.length; start += batchSize) {
    const tokens = vocabulary.slice(start, start + batchSize).map(([token]) => token.replace(wordStart, ' '));
    vectors.push(...(await embed(engine, tokens)));
  }
  const dimensions = vectors[0]?.length ?? 0;
  const mean = Float32Array.from({ length: dimensions }, (_, dimension) => {
    return vectors.reduce((sum, vector) => sum + (vector[dimension] ?? 0), 0) / vectors.length;
  });
  const values = vectors.flatMap((vector) => Array.from(vector, (value, dimension) => value - (mean[dimension] ?? 0)));
  const weights = vocabulary.map(([, score]) => (isWeighted ? smoothing / (smoothing + Math.exp(score ?? 0)) : 1));
  await writeStaticModel(folder, {
    tensors: {
      embeddings: floats([vocabulary.length, dimensions], values),
      weights: floats([vocabulary.length], weights),
    },
    config: { normalize: true },
    tokenizer: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      normalizer: { type: 'NFKC' },
      pre_tokenizer: { type: 'Metaspace', replacement: wordStart, prepend_scheme: 'always', split: true },
      post_processor: null,
      decoder: null,
      model: { type: 'Unigram', unk_id: unknownId, vocab: vocabulary },
    },
  });
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
const teacher = new UniversalSentenceEncoderEngine();
for (const isWeighted of [false, true]) {
  const source = mkdtempSync(path.join(tmpdir(), 'keycard-bench-vectors-'));
  await distill(teacher, source, isWeighted);
  const options = { source, normalize: undefined, threads: 1, prefix: '', maxTokens: 512 };
  await measure(`static, distilled${isWeighted ? ' and weighted' : ''}`, new StaticEngine(options));
  rmSync(source, { recursive: true });
}
await teacher.close();
