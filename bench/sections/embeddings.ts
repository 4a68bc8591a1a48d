import { availableParallelism } from 'node:os';
import { CpuMeter, formatCpu } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
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
/** V8 compiles the service's code during its first 10,000 requests or so, which takes a tenth of the CPU time. */
const serviceWarmUpSeconds = 12;
const loopWarmUpSeconds = 3;
const roundSeconds = 2;
/** The engine's default. */
const threads = Math.min(4, availableParallelism());

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
  loop: new URL('../processes/onnxruntime-loop.js', import.meta.url),
};

type Contender = 'service' | Order;

/** Compares the service with bare onnxruntime: the cost of HTTP, authentication, tokenization and batching. */
export function measureEmbeddings({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, service, loop }) => {
    const [key = ''] = await insertKnownKeys(client);
    const sentences = makeSentences(sentenceCount);
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const cpu = new CpuMeter<Contender>({
      contenders: { service: service.pid, given: loop.pid, sorted: loop.pid },
      postmaster: await findPostmaster(client),
    });
    const requests = sentences.map((sentence) => embeddingsRequest(sentence, key));
    const measureService = async (seconds: number) => {
      const load: Load = { url, connections: clients, seconds, requests };
      return (await cpu.measure('service', () => generator.run<LoadResult>(load))).requestsPerSecond;
    };
    const measureLoop = async (order: Order, seconds: number) => {
      const task: LoopSettings = { sentences, order, threads, seconds };
      const run = async () => {
        const result = await loop.run<LoopResult>(task);
        return { ...result, requests: result.texts };
      };
      return (await cpu.measure(order, run)).textsPerSecond;
    };
    await measureService(serviceWarmUpSeconds);
    await measureLoop('given', loopWarmUpSeconds);
    const figures = await measureInRounds(rounds, {
      service: () => measureService(roundSeconds),
      given: () => measureLoop('given', roundSeconds),
      sorted: () => measureLoop('sorted', roundSeconds),
    });
    return [...toRows(figures), ...cpuRows(cpu)];
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

function toRows(figures: Figures<Contender>): Row[] {
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

function cpuRows(cpu: CpuMeter<Contender>): Row[] {
  const [service, given] = [cpu.perRequest('service'), cpu.perRequest('given')];
  if (service === undefined || given === undefined) return [];
  const comparison = {
    what: 'CPU time of a text, embedded engine',
    measured: formatCpu(service),
    against: `onnxruntime: ${quantity(given.own, 'µs')}`,
    explanation:
      'Processor time in the same rounds, divided by the texts, without the load generator. The loop runs as in the first of these rows.',
  };
  return [ratioRow(comparison, (service.own + service.database) / given.own, undefined)];
}
