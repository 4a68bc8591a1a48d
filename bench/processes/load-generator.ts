import autocannon, { type Client, type Request } from 'autocannon';
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
  p99Milliseconds: number;
}

/** Keeps every connection busy with one request at a time. */
async function generate({ url, connections, seconds, requests }: Load): Promise<LoadResult> {
  let connection = 0;
  const setupClient = (client: Client) => {
    const own = requests.filter((_, index) => index % connections === connection);
    client.setRequests(own);
    connection += 1;
  };
  const result = await autocannon({ url, connections, duration: seconds, setupClient });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed.`);
  const { total } = result.requests;
  return { requestsPerSecond: total / result.duration, requests: total, p99Milliseconds: result.latency.p99 };
}

runTasks(generate);
