import { type Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Leaves the processor to the replicas that are starting. */
const pauseMilliseconds = 5;
/** The model of the POST requests doesn't exist, so that they take no processor time. */
const expectedStatus = { GET: 200, POST: 404 };

/** Sends one request after another until stopped: by default GETs, which proxies may send twice. */
export class RollingClient {
  readonly failures: unknown[] = [];
  succeeded = 0;
  private isStopping = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly agent: Agent,
    private readonly method: 'GET' | 'POST' = 'GET',
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.agent.destroy();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      try {
        const status = await this.request();
        if (status === expectedStatus[this.method]) this.succeeded++;
        else this.failures.push(status);
      } catch (error) {
        this.failures.push(error);
      }
      await pause(pauseMilliseconds);
    }
  }

  private request(): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
      const path = this.method === 'GET' ? '/v1/models' : '/v1/embeddings';
      const options = { method: this.method, agent: this.agent, headers, timeout: 20_000 };
      const sent = request(this.url + path, options, (response) => {
        text(response).then(() => resolve(response.statusCode), reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', reject);
      sent.end(this.method === 'GET' ? undefined : JSON.stringify({ model: 'unknown', input: 'A text' }));
    });
  }
}
