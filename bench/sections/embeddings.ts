import { availableParallelism } from 'node:os';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { makeSentences } from '../data/sentences.js';
import { withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import type { LoopResult, LoopSettings, Order } from '../processes/onnxruntime-loop.js';
import { type Figures, measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const clients = 64;
const sentenceCount = 1024;
const rounds = 7;
const warmUpSeconds = 3;
const roundSeconds = 2;
/** The engine's default. */
const threads = Math.min(4, availableParallelism());

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
  loop: new URL('../processes/onnxruntime-loop.js', import.meta.url),
};

/** Compares the service with bare onnxruntime: the cost of HTTP, authentication, tokenization and batching. */
export function measureEmbeddings({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, service, loop }) => {
    const [key = ''] = await insertKnownKeys(client);
    const sentences = makeSentences(sentenceCount);
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const requests = sentences.map((sentence) => embeddingsRequest(sentence, key));
    const measureService = async (seconds: number) => {
      const load: Load = { url, connections: clients, seconds, requests };
      return (await generator.run<LoadResult>(load)).requestsPerSecond;
    };
    const measureLoop = async (order: Order, seconds: number) => {
      const task: LoopSettings = { sentences, order, threads, seconds };
      return (await loop.run<LoopResult>(task)).textsPerSecond;
    };
    await measureService(warmUpSeconds);
    await measureLoop('given', warmUpSeconds);
    return toRows(
      await measureInRounds(rounds, {
        service: () => measureService(roundSeconds),
        given: () => measureLoop('given', roundSeconds),
        sorted: () => measureLoop('sorted', roundSeconds),
      }),
    );
  });
}

/** The request of OpenAI's SDKs. */
export function embeddingsRequest(input: string, key: string): Load['requests'][number] {
  return {
    method: 'POST',
    path: '/v1/embeddings',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'universal-sentence-encoder-lite', input, encoding_format: 'base64' }),
  };
}

function toRows(figures: Figures<'service' | Order>): Row[] {
  const comparison = (order: Order, name: string, explanation: string) => ({
    what: `POST /v1/embeddings, embedded engine, ${clients} clients`,
    measured: quantity(median(figures.service), 'texts/s'),
    against: `${name}: ${quantity(median(figures[order]), 'texts/s')}`,
    explanation,
  });
  const given = `Each client embeds sentences of 20 words, one per request, in base64, against onnxruntime in a loop in ${threads} worker threads, as many as the engine has, on the same sentences, tokenized and packed in batches of 32 in advance; load generator, HTTP, tokenization and database share the processors with the engine.`;
  const sorted = `The same against onnxruntime in a loop with all ${sentenceCount} sentences sorted by length in advance: almost no padding, which an online server can't achieve.`;
  return [
    ratioRow(comparison('given', 'onnxruntime', given), medianRatio(figures.service, figures.given), { min: 0.9 }),
    ratioRow(
      comparison('sorted', 'onnxruntime, sorted', sorted),
      medianRatio(figures.service, figures.sorted),
      undefined,
    ),
  ];
}
