import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { TurnBudget } from '../../common/event-loop-turn.js';
import type { BodyReader } from '../../common/http/body-reader.js';
import { JsonScanError } from '../json/token-reader.js';
import { type JsonField, JsonScanner } from '../json/json-scanner.js';

/** Bodies up to this size are buffered. Larger ones are read until the model is known, and then streamed. */
const wholeBodyBytes = 1024 * 1024;

/** Copying them takes about a millisecond. */
const bytesJoinedPerTurn = 1024 * 1024;

const wanted = new Set(['model']);

/** The parts of a request that are read here. */
interface StreamedRequest {
  /** A `BodyReader`; undefined without a body. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** A body for an upstream. */
export interface OutgoingBody {
  readonly content: Buffer | Readable;
  /** Undefined if the client didn't announce it. */
  readonly lengthBytes: number | undefined;
  /**
   * Resolves when a stream has ended or failed: whether it was read completely and is valid. Undefined for a buffered
   * body, which was validated before.
   */
  readonly isSent: Promise<boolean> | undefined;
}

/** The JSON body of a request whose `model` is known. The rest of a large one may still be arriving. */
export class ModelRequest {
  private readonly scanner = new JsonScanner(wanted, (field) => this.takeModel(field));
  private model: (JsonField & { value: string }) | undefined;
  private chunks: Buffer[] = [];
  private receivedBytes = 0;
  private isComplete = false;
  private isHandedOn = false;

  private constructor(
    private readonly reader: BodyReader,
    /** `Content-Length`, if sent. */
    private readonly announcedBytes: number | undefined,
    private readonly onKept: (bytes: number) => void,
  ) {}

  /**
   * Reads a body until the model is known, and up to 1 MB to its end.
   *
   * @param onKept receives the number of buffered bytes as they arrive; an error that it throws rejects the request
   * @throws AppError 400 if it isn't a JSON object with one `model`, 413 if it is larger than the route allows, 408 if it
   *   stops arriving
   */
  static async read(
    { body, headers }: StreamedRequest,
    onKept: (bytes: number) => void = () => undefined,
  ): Promise<ModelRequest> {
    if (body === undefined) throw new AppError('malformed-request', 'The body is not a JSON object.');
    const announced = headers['content-length'];
    const announcedBytes = announced === undefined ? undefined : Number(announced);
    const request = new ModelRequest(body as BodyReader, announcedBytes, onKept);
    await request.receiveUntil(() => request.receivedBytes > wholeBodyBytes && request.model !== undefined);
    return request;
  }

  /** The model name the client sent. */
  get modelName(): string {
    return this.knownModel().value;
  }

  /** Whether the body can be sent again: it is buffered, or none of it was forwarded. */
  get canBeRepeated(): boolean {
    return !this.isHandedOn;
  }

  /**
   * The whole body in one buffer.
   *
   * @throws AppError 400, 413, or what `onKept` throws
   */
  async readAll(): Promise<Buffer> {
    await this.receiveUntil(() => false);
    if (this.chunks.length === 1 && this.chunks[0] !== undefined) return this.chunks[0];
    const whole = Buffer.allocUnsafeSlow(this.receivedBytes);
    const turns = new TurnBudget(bytesJoinedPerTurn);
    let size = 0;
    for (let chunk = this.chunks.shift(); chunk !== undefined; chunk = this.chunks.shift()) {
      await turns.spend(chunk.length);
      size += chunk.copy(whole, size);
    }
    this.chunks = [whole];
    return whole;
  }

  /**
   * Passes the whole body to a reader as it arrives. If the reader throws, the rest is left unread.
   *
   * @throws AppError 400, 413, or what the reader throws
   */
  async readBy<Result>(reader: { push: (chunk: Buffer) => void; end: () => Result }): Promise<Result> {
    const turns = new TurnBudget();
    const push = (chunk: Buffer) => explainScanError(() => reader.push(chunk));
    for (const chunk of this.chunks) {
      const turn = turns.spend(chunk.length);
      if (turn !== undefined) await turn;
      push(chunk);
    }
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      this.onKept(chunk.length);
      push(chunk);
    }
    return explainScanError(() => reader.end());
  }

  /**
   * The body, unchanged except for the model name: buffered, or a stream that follows the client's. The stream fails with
   * an AppError if the rest turns out to be invalid.
   *
   * @param modelName the upstream's name of the model
   */
  withModel(modelName: string): OutgoingBody {
    const pieces = this.renamed(modelName);
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    if (this.isComplete && size <= wholeBodyBytes) {
      return { content: Buffer.concat(pieces, size), lengthBytes: size, isSent: undefined };
    }
    const { announcedBytes } = this;
    const lengthBytes = this.isComplete ? size : announcedBytes && announcedBytes + size - this.receivedBytes;
    let settle: (isSent: boolean) => void = () => undefined;
    const isSent = new Promise<boolean>((resolve) => (settle = resolve));
    const content = Readable.from(this.handOn(pieces, settle), { objectMode: false });
    // The sender gets its error. Without a sender it doesn't matter.
    content.on('error', () => undefined);
    return { content, lengthBytes, isSent };
  }

  /** Not joined: copying a large body would block the event loop. */
  private renamed(modelName: string): Buffer[] {
    const { value, start, end } = this.knownModel();
    if (value === modelName) return this.chunks;
    const name = Buffer.from(JSON.stringify(modelName));
    const pieces: Buffer[] = [];
    let offset = 0;
    for (const chunk of this.chunks) {
      const chunkEnd = offset + chunk.length;
      if (start >= chunkEnd || end <= offset) pieces.push(chunk);
      else {
        pieces.push(chunk.subarray(0, Math.max(0, start - offset)));
        if (start >= offset) pieces.push(name);
        pieces.push(chunk.subarray(end - offset));
      }
      offset = chunkEnd;
    }
    return pieces.filter(({ length }) => length > 0);
  }

  private async *handOn(received: readonly Buffer[], settle: (isSent: boolean) => void): AsyncGenerator<Buffer> {
    // A complete body can be sent again.
    this.isHandedOn = !this.isComplete;
    try {
      yield* received;
      if (this.isComplete) return settle(true);
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
      settle(this.isComplete);
    } finally {
      settle(false);
    }
  }

  private async receiveUntil(isEnough: () => boolean): Promise<void> {
    while (!this.isComplete && !isEnough()) {
      const chunk = await this.next();
      if (chunk === undefined) break;
      this.onKept(chunk.length);
      this.chunks.push(chunk);
      this.receivedBytes += chunk.length;
    }
    if (this.model === undefined) throw modelIsMissing();
  }

  /** The next chunk, validated; undefined after the last. */
  private async next(): Promise<Buffer | undefined> {
    if (this.isComplete) return undefined;
    const chunk = await this.reader.next();
    explainScanError(() => (chunk === undefined ? this.scanner.end() : this.scanner.push(chunk)));
    this.isComplete = chunk === undefined;
    return chunk;
  }

  private knownModel() {
    if (this.model === undefined) throw modelIsMissing();
    return this.model;
  }

  /** Rejects duplicate or differently-cased keys: an upstream could read another model than the one checked here. */
  private takeModel(field: JsonField): void {
    if (field.path !== 'model') throw invalidField('model', 'model must be written in lower case.');
    if (this.model !== undefined) throw invalidField('model', 'model must be given once.');
    if (typeof field.value !== 'string' || field.value === '') throw modelIsMissing();
    this.model = { ...field, value: field.value };
  }
}

function explainScanError<Result>(scan: () => Result): Result {
  try {
    return scan();
  } catch (error) {
    throw error instanceof JsonScanError ? new AppError('malformed-request', `The body ${error.message}.`) : error;
  }
}

function modelIsMissing(): AppError {
  return invalidField('model', 'model must be the id of a model, as text.');
}
