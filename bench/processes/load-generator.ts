import autocannon, { type Client, type Request } from 'autocannon';
import { median, quantile } from '../rounds.js';
import { runTasks } from './run-tasks.js';

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  /** Each connection repeats its own share of these. */
  requests: Request[];
}

export interface LoadResult {
  requestsPerSecond: number;
  requests: number;
  /** Median of those of each second but the first, in which connections are opened. NaN if there was only one. */
  p99Milliseconds: number;
}

/** Keeps every connection busy with one request at a time. */
async function generate({ url, connections, seconds, requests }: Load): Promise<LoadResult> {
  let connection = 0;
  const start = performance.now();
  const latencies: number[][] = [];
  const addLatency = (_status: number, _bytes: number, milliseconds: number) =>
    (latencies[Math.floor((performance.now() - start) / 1000)] ??= []).push(milliseconds);
  const setupClient = (client: Client) => {
    const own = requests.filter((_, index) => index % connections === connection);
    client.setRequests(own);
    client.on('response', addLatency);
    connection += 1;
  };
  const result = await autocannon({ url, connections, duration: seconds, setupClient });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed.`);
  const { total } = result.requests;
  const p99Milliseconds = median(latencies.slice(1, seconds).map((all) => quantile(all, 0.99)));
  return { requestsPerSecond: total / result.duration, requests: total, p99Milliseconds };
}

runTasks(generate);
