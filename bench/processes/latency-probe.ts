import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { runTasks } from './run-tasks.js';

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
async function probe(task: Probe): Promise<ProbeResult> {
  const pool = new Pool(task.url, { connections: task.connections });
  try {
    const milliseconds = await (task.requestsPerSecond > 0 ? sendAtPace(pool, task) : sendInTurn(pool, task));
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

async function sendAtPace(pool: Pool, task: Probe): Promise<number[]> {
  const responses: Promise<number>[] = [];
  const start = performance.now();
  const end = start + task.seconds * 1000;
  for (let now = start; now < end; now = await nextTurn()) {
    const due = Math.floor(((now - start) / 1000) * task.requestsPerSecond);
    while (responses.length < due) responses.push(send(pool, task));
  }
  return Promise.all(responses);
}

async function sendInTurn(pool: Pool, task: Probe): Promise<number[]> {
  const end = performance.now() + task.seconds * 1000;
  const inTurn = async () => {
    const milliseconds: number[] = [];
    while (performance.now() < end) milliseconds.push(await send(pool, task));
    return milliseconds;
  };
  return (await Promise.all(Array.from({ length: task.connections }, inTurn))).flat();
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

runTasks(probe);
