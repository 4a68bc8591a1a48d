import http from 'node:http';
import { quantile } from '../rounds.js';
import { runTasks } from './run-tasks.js';

/** Reads streams of `stream-upstream`, all at once. */
export interface StreamLoad {
  url: string;
  headers: Record<string, string>;
  body: string;
  streams: number;
}

export interface StreamResult {
  /** Events that arrived, over all streams. */
  events: number;
  /** From sending an event at the upstream until its arrival here. */
  p50Milliseconds: number;
  p99Milliseconds: number;
  /** The same, of first events. */
  firstP50Milliseconds: number;
}

const sentAt = /"content":"word(\d+) "/g;

async function read({ url, headers, body, streams }: StreamLoad): Promise<StreamResult> {
  const agent = new http.Agent({ keepAlive: true });
  const delays: number[] = [];
  const firsts: number[] = [];
  const readOne = () =>
    new Promise<void>((resolve, reject) => {
      const options = { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json' } };
      const request = http.request(`${url}/v1/chat/completions`, options, (response) => {
        let isFirst = true;
        let text = '';
        response.setEncoding('latin1').on('data', (chunk: string) => {
          const now = process.hrtime.bigint();
          for (const [, sent = '0'] of chunk.matchAll(sentAt)) {
            const milliseconds = Number(now - BigInt(sent)) / 1e6;
            delays.push(milliseconds);
            if (isFirst) firsts.push(milliseconds);
            isFirst = false;
          }
          text = chunk;
        });
        response.once('error', reject).once('end', () => {
          if (response.statusCode === 200 && text.endsWith('[DONE]\n\n')) resolve();
          else reject(new Error(`A stream ended with status ${response.statusCode}: ${text.slice(-200)}`));
        });
      });
      request.once('error', reject).end(body);
    });
  await Promise.all(Array.from({ length: streams }, readOne));
  agent.destroy();
  return {
    events: delays.length,
    p50Milliseconds: quantile(delays, 0.5),
    p99Milliseconds: quantile(delays, 0.99),
    firstP50Milliseconds: quantile(firsts, 0.5),
  };
}

runTasks(read);
