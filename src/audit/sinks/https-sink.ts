import { createHmac } from 'node:crypto';
import { loadUndici } from '../../common/http/load-undici.js';
import type { HttpsSinkDefinition } from '../../config/sink-definition.js';
import { type Sink, type SinkBatch, SinkError, toLines } from './sink.js';

const maxRetryAfterSeconds = 20;

/** Posts JSON lines, signed as Standard Webhooks defines. A response with a status of 2xx acknowledges them. */
export class HttpsSink implements Sink {
  readonly maxEvents = 500;
  readonly waitMilliseconds = 0;
  private readonly dispatcher;
  private readonly secret;

  constructor(private readonly definition: HttpsSinkDefinition) {
    const { Agent } = loadUndici();
    const { ca, secret } = definition;
    this.dispatcher = new Agent({ connections: 1, ...(ca !== undefined && { connect: { ca } }) });
    this.secret = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  }

  async deliver(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const { request } = loadUndici();
    const { name, url } = this.definition;
    const body = toLines(batch);
    const id = `${name}-${batch.first}-${batch.last}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', this.secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const response = await request(url, {
      method: 'POST',
      dispatcher: this.dispatcher,
      signal,
      headers: {
        'content-type': 'application/jsonl; charset=utf-8',
        'user-agent': 'keycard',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    await response.body.dump({ limit: 64 * 1024, signal });
    const { statusCode, headers } = response;
    if (statusCode >= 200 && statusCode < 300) return;
    throw new SinkError(`The receiver returned ${statusCode}.`, readRetryAfter(headers['retry-after']));
  }
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || !/^\d{1,6}$/.test(header)) return undefined;
  return Math.min(Number(header), maxRetryAfterSeconds);
}
