import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Administrator } from '../administrator.js';
import type { Replicas } from '../replicas.js';

/** Fewer than a token per byte, as limits assume. */
const input = 'ripe red apples in the old basket of a farmer';
const tokensPerRequest = 20;
const limits = [
  { metric: 'requests', per: 'day', max: 300 },
  { metric: 'tokens', per: 'day', max: 4000 },
];
const mostRequests = 4000 / tokensPerRequest;
const pauseMilliseconds = 50;
/** Rejections after which a budget counts as used up, although reservations may have been returned since. */
const maxRejections = 20;

/** Embeds nothing, and counts by the `user` of the request, where clients put the id of their key. */
export class CountingUpstream {
  private readonly server: Server;
  readonly served = new Map<string, number>();

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const { user = '' } = JSON.parse(Buffer.concat(chunks).toString()) as { user?: string };
        this.served.set(user, (this.served.get(user) ?? 0) + 1);
        const usage = { prompt_tokens: tokensPerRequest, total_tokens: tokensPerRequest };
        const data = [{ object: 'embedding', index: 0, embedding: 'AAAAPw==' }];
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ object: 'list', data, model: 'mock', usage }));
      });
    });
  }

  /** @returns the base URL */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Uses up one key with limits after the other. */
export class Budgets {
  /** Ids of the keys. */
  private readonly keyIds: string[] = [];

  constructor(
    private readonly replicas: Replicas,
    private readonly administrator: Administrator,
    private readonly upstream: CountingUpstream,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const created = await this.administrator.createKey({ name: 'Limited', limits });
      if (created === undefined) {
        await delay(pauseMilliseconds);
        continue;
      }
      this.keyIds.push(created.keyId);
      await this.useUp(created.keyId, created.value, isOver);
    }
  }

  /** Keys that have used more than a limit allows. */
  get exceeded(): string[] {
    return this.keyIds.filter((keyId) => (this.upstream.served.get(keyId) ?? 0) > mostRequests);
  }

  get count(): number {
    return this.keyIds.length;
  }

  private async useUp(keyId: string, key: string, isOver: () => boolean): Promise<void> {
    const body = { model: 'mock', input, user: keyId };
    for (let rejections = 0; rejections < maxRejections && !isOver();) {
      const response = await this.replicas.call('POST /v1/embeddings', key, body).catch(() => undefined);
      if (response?.status === 200) continue;
      // After `accept-history`, the key may be gone.
      if (response?.status === 401) return;
      if (response?.status === 429) rejections += 1;
      await delay(pauseMilliseconds);
    }
  }
}
