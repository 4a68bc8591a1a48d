import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseRawResponse, type RawResponse } from './raw-response.js';

const limitMilliseconds = 20_000;

/** A client that writes raw bytes and reads only on request. */
export class RawClient {
  private received = Buffer.alloc(0);
  private change: (() => void) | undefined;
  private closed = false;
  /** The error that ended the connection, such as `ECONNRESET`. */
  failure: NodeJS.ErrnoException | undefined;
  /** Whether the server has sent its FIN. */
  hasEnded = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.update(() => (this.received = Buffer.concat([this.received, chunk]))));
    socket.on('end', () => this.update(() => (this.hasEnded = true)));
    socket.on('error', (error) => this.update(() => (this.failure = error)));
    socket.on('close', () => this.update(() => (this.closed = true)));
  }

  static async connect(url: string): Promise<RawClient> {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Resolves once the system has accepted the bytes or the connection is closed. */
  async write(data: string | Buffer): Promise<void> {
    if (this.closed || this.socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.socket.once('close', resolve);
      this.socket.write(data, () => {
        this.socket.off('close', resolve);
        resolve();
      });
    });
  }

  /** Writes everything before reading, like many clients. */
  async writeAll(head: string, chunk: Buffer, count: number): Promise<void> {
    this.socket.pause();
    await this.write(head);
    for (let sent = 0; sent < count && !this.socket.destroyed; sent++) await this.write(chunk);
    this.socket.resume();
  }

  /** Returns the next final response. */
  async response(): Promise<RawResponse> {
    const response = await this.responseOrClose();
    if (response !== undefined) return response;
    throw new Error(`No response: ${this.failure?.code ?? 'closed'}, received ${JSON.stringify(this.text)}`);
  }

  /** Returns the next final response, or undefined if the connection ends first. */
  async responseOrClose(): Promise<RawResponse | undefined> {
    for (;;) {
      const parsed = parseRawResponse(this.received, this.hasEnded);
      if (parsed !== undefined) {
        this.received = this.received.subarray(parsed.length);
        return parsed;
      }
      if (this.closed || this.hasEnded) return undefined;
      await this.changed();
    }
  }

  /** Received text that is not part of a returned response. */
  get text(): string {
    return this.received.toString('latin1');
  }

  /** Resolves once the server has ended or reset the connection. */
  async end(): Promise<void> {
    while (!this.hasEnded && !this.closed) await this.changed();
  }

  /** Resolves once the connection is closed in both directions. */
  async close(): Promise<void> {
    while (!this.closed) await this.changed();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private update(set: () => void): void {
    set();
    this.change?.();
  }

  private async changed(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      this.change = resolve;
      timer = setTimeout(() => reject(new Error(`Timed out; received ${this.text}`)), limitMilliseconds);
    }).finally(() => clearTimeout(timer));
  }
}

/** Returns a function that connects clients and destroys them after the test. */
export function useRawClients(): (service: { url: string }) => Promise<RawClient> {
  const clients: RawClient[] = [];
  afterEach(() => clients.splice(0).forEach((client) => client.destroy()));
  return async ({ url }) => {
    const client = await RawClient.connect(url);
    clients.push(client);
    return client;
  };
}
