import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { answerQuestions } from './answer-questions.js';

/** Repeats one request at a given rate. */
export interface Probe {
  url: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  connections: number;
  /** Requests sent per second, without waiting for earlier ones; 0 sends each one after the previous response. */
  requestsPerSecond: number;
  seconds: number;
}

export interface ProbeResult {
  p50Milliseconds: number;
  p95Milliseconds: number;
  p99Milliseconds: number;
  worstMilliseconds: number;
  count: number;
}

/** Sends requests without waiting for earlier ones, so that one slow response doesn't hide others. */
async function probe(question: Probe): Promise<ProbeResult> {
  const pool = new Pool(question.url, { connections: question.connections });
  try {
    const milliseconds = await (question.requestsPerSecond > 0
      ? sendAtPace(pool, question)
      : sendInTurn(pool, question));
    milliseconds.sort((left, right) => left - right);
    const quantile = (share: number) => milliseconds[Math.ceil(milliseconds.length * share) - 1] ?? NaN;
    return {
      p50Milliseconds: quantile(0.5),
      p95Milliseconds: quantile(0.95),
      p99Milliseconds: quantile(0.99),
      worstMilliseconds: quantile(1),
      count: milliseconds.length,
    };
  } finally {
    await pool.close();
  }
}

async function sendAtPace(pool: Pool, question: Probe): Promise<number[]> {
  const responses: Promise<number>[] = [];
  const start = performance.now();
  const end = start + question.seconds * 1000;
  for (let now = start; now < end; now = await nextTurn()) {
    const due = Math.floor(((now - start) / 1000) * question.requestsPerSecond);
    while (responses.length < due) responses.push(send(pool, question));
  }
  return Promise.all(responses);
}

async function sendInTurn(pool: Pool, question: Probe): Promise<number[]> {
  const end = performance.now() + question.seconds * 1000;
  const inTurn = async () => {
    const milliseconds: number[] = [];
    while (performance.now() < end) milliseconds.push(await send(pool, question));
    return milliseconds;
  };
  return (await Promise.all(Array.from({ length: question.connections }, inTurn))).flat();
}

async function send(pool: Pool, { method, path, headers, body }: Probe): Promise<number> {
  const start = performance.now();
  const response = await pool.request({ method, path, headers, body });
  await response.body.arrayBuffer();
  if (response.statusCode >= 300) throw new Error(`${method} ${path} returned ${response.statusCode}.`);
  return performance.now() - start;
}

async function nextTurn(): Promise<number> {
  await setTimeout(1);
  return performance.now();
}

answerQuestions(probe);
