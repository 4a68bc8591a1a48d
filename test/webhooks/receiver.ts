import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that a receiver got. */
export interface ReceivedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The parsed body. */
  event: { type: string; timestamp: string; data: Record<string, unknown> };
  /** From `performance.now()`. */
  at: number;
}

type Respond = (request: ReceivedRequest, response: ServerResponse) => void;

/** Responds with a status and headers. */
export const respondWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

/** Never responds. */
export const stayingSilent: Respond = () => undefined;

/** A server that receives webhooks. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  /** By default 204. */
  respond: Respond = respondWith(204);
  private readonly server: Server = createServer((request, response) => void this.receive(request, response));

  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** `path` tells webhooks of one receiver apart. */
  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Requests with one path, or with all. */
  typesAt(path?: string): string[] {
    return this.requests.filter((one) => path === undefined || one.path === path).map(({ event }) => event.type);
  }

  private async receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(message)).toString();
    const request: ReceivedRequest = {
      path: message.url ?? '',
      headers: message.headers as Record<string, string>,
      body,
      event: JSON.parse(body) as ReceivedRequest['event'],
      at: performance.now(),
    };
    this.requests.push(request);
    this.respond(request, response);
  }
}

/** Starts a receiver before each test of this file or `describe` block, and stops it after. */
export function useReceiver(): Receiver {
  let receiver: Receiver | undefined;
  beforeEach(async () => {
    receiver = await new Receiver().start();
  });
  afterEach(() => receiver?.stop());
  return new Proxy({} as Receiver, {
    get: (_, name) => {
      const value: unknown = Reflect.get(receiver ?? {}, name);
      return typeof value === 'function' ? (value.bind(receiver) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(receiver ?? {}, name, value),
  });
}
