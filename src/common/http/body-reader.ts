import type { Readable } from 'node:stream';
import { TurnBudget } from '../event-loop-turn.js';
import { AppError } from '../errors/app-error.js';
import { bodyTooLarge } from './read-body.js';

/**
 * Reads a body chunk by chunk, no faster than they are asked for and with a turn of the event loop between large ones,
 * so that a body of any size can be processed as it arrives. Costs less than the stream's own iterator, and leaves the
 * connection open when the body is rejected: the response goes through it.
 */
export class BodyReader {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly turns = new TurnBudget();
  private hasEnded = false;
  private failure: AppError | undefined;
  private wake: (() => void) | undefined;

  /** @param limitBytes a larger body is given up with a 413 */
  constructor(
    private readonly body: Readable,
    private readonly limitBytes: number,
  ) {
    body.on('data', (chunk: Buffer) => this.take(chunk));
    body.once('end', () => this.finish(undefined));
    body.once('close', () => this.breakOff());
    body.on('error', () => this.breakOff());
    if (body.destroyed) this.breakOff();
  }

  /**
   * The next chunk, of bounded length; undefined after the last.
   *
   * @throws AppError 413 when the body is larger than the limit, 400 when the client has gone
   */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.takeChunk();
      if (chunk !== undefined) {
        const turn = this.turns.spend(chunk.length);
        if (turn !== undefined) await turn;
        return chunk;
      }
      if (this.failure !== undefined) throw this.failure;
      if (this.hasEnded) return undefined;
      if (this.body.isPaused()) this.body.resume();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private takeChunk(): Buffer | undefined {
    const { bytesPerTurn } = this.turns;
    const chunk = this.chunks.shift();
    if (chunk === undefined || chunk.length <= bytesPerTurn) return chunk;
    this.chunks.unshift(chunk.subarray(bytesPerTurn));
    return chunk.subarray(0, bytesPerTurn);
  }

  private take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limitBytes) {
      this.body.pause();
      this.finish(bodyTooLarge(this.limitBytes));
      return;
    }
    this.chunks.push(chunk);
    if (this.wake === undefined) this.body.pause();
    else this.wakeUp();
  }

  private breakOff(): void {
    // Every body closes at last; an error for each would cost as much as reading it.
    if (!this.hasEnded) this.finish(new AppError('malformed-request', 'The body was cut off.'));
  }

  private finish(failure: AppError | undefined): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.failure = failure;
    this.wakeUp();
  }

  private wakeUp(): void {
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}
