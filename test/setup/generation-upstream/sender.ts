import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Script } from './script.js';

/** Sends the body of one response until its end, its client's end, or the byte at which its script stops. */
export class Sender {
  readonly #response: ServerResponse;
  readonly #script: Script;
  readonly #closed = new AbortController();
  #sent = 0;
  #isStopped = false;

  constructor(response: ServerResponse, script: Script) {
    this.#response = response;
    this.#script = script;
    response.once('close', () => this.#closed.abort());
  }

  get isOpen(): boolean {
    return !this.#isStopped && !this.#closed.signal.aborted;
  }

  /** Waits as long as a token takes; shorter if the client leaves. */
  async think(tokens = 1): Promise<void> {
    const { delayMilliseconds = 0 } = this.#script;
    if (delayMilliseconds === 0 || tokens === 0) return;
    await delay(delayMilliseconds * tokens, undefined, { signal: this.#closed.signal }).catch(() => undefined);
  }

  /** Says nothing until the client leaves. */
  async fallSilent(): Promise<void> {
    this.#isStopped = true;
    if (!this.#closed.signal.aborted) await once(this.#response, 'close');
  }

  /** Returns text as it is sent. */
  encode(text: string): Buffer {
    return Buffer.from(this.#script.crlf ? text.replaceAll('\n', '\r\n') : text);
  }

  /** @returns whether all of it was sent */
  async send(text: string): Promise<boolean> {
    const { stop, splitBytes } = this.#script;
    const bytes = this.encode(text);
    const remaining = stop === undefined ? Infinity : stop.at - this.#sent;
    const sendable = bytes.subarray(0, Math.max(0, remaining));
    const size = splitBytes ?? Math.max(1, sendable.length);
    for (let start = 0; start < sendable.length && this.isOpen; start += size) {
      await this.#write(sendable.subarray(start, start + size));
    }
    if (stop !== undefined && remaining <= bytes.length && this.isOpen) {
      await this.#stop(stop.by);
      return remaining >= bytes.length;
    }
    return this.isOpen;
  }

  /** Ends a response that wasn't stopped. */
  end(): void {
    if (!this.isOpen) return;
    this.#isStopped = true;
    this.#response.end();
  }

  async #write(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#response.write(bytes, () => resolve());
    });
    this.#sent += bytes.length;
  }

  async #stop(by: 'cut' | 'end' | 'silence'): Promise<void> {
    this.#isStopped = true;
    // Headers may not have been sent yet.
    this.#response.flushHeaders();
    if (by === 'silence') await this.fallSilent();
    else if (by === 'cut') this.#response.destroy();
    else this.#response.end();
  }
}
