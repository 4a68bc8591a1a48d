import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { TurnBudget } from '../../common/event-loop-turn.js';
import type { BodyReader } from '../../common/http/body-reader.js';
import { JsonScanError } from '../json/token-reader.js';
import { type JsonField, JsonScanner } from '../json/json-scanner.js';

/** Bodies up to this size are read as a whole before anything is done; of larger ones, as much as it takes. */
const wholeBodyBytes = 1024 * 1024;

/** Copying them takes about a millisecond. */
const bytesJoinedPerTurn = 1024 * 1024;

const wanted = new Set(['model']);

/** What is read of a request to a route that has its JSON streamed. */
interface StreamedRequest {
  /** A `BodyReader`; undefined when nothing was sent. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** A body on its way to a server. */
export interface OutgoingBody {
  readonly content: Buffer | Readable;
  /** Undefined when the client has not announced it. */
  readonly lengthBytes: number | undefined;
  /**
   * Resolves once nothing more is read of a stream: whether it was sent to its end and found valid. Undefined for a
   * body that is whole, which was checked before.
   */
  readonly isSent: Promise<boolean> | undefined;
}

/** The body of a request to a model: JSON whose `model` is known. When it is large, the rest may still be coming in. */
export class ModelRequest {
  private readonly scanner = new JsonScanner(wanted, (field) => this.takeModel(field));
  private model: (JsonField & { value: string }) | undefined;
  private chunks: Buffer[] = [];
  private receivedBytes = 0;
  private isComplete = false;
  private isHandedOn = false;

  private constructor(
    private readonly reader: BodyReader,
    /** How long the client says the body is; undefined when it does not. */
    private readonly announcedBytes: number | undefined,
    private readonly onKept: (bytes: number) => void,
  ) {}

  /**
   * Reads the body of a route that has it streamed until the model is known.
   *
   * @param onKept told of the bytes that are kept in memory as they arrive; what it throws refuses the request
   * @throws AppError 400 for what is not a JSON object with one `model`, 413 when it is larger than the route allows,
   *   408 when it stops arriving
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

  /** What the client calls the model. */
  get modelName(): string {
    return this.knownModel().value;
  }

  /** Whether the body can be sent again: it is whole, or nothing of it has been handed on yet. */
  get canBeRepeated(): boolean {
    return !this.isHandedOn;
  }

  /**
   * The whole body, a JSON object, as one piece of memory.
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
   * Has the whole body read by a reader, from its start, as it arrives. The rest is left unread when the reader throws.
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
   * The body as it came, except for the name of the model: whole, or as a stream that is read as the client sends it.
   * The stream fails with an AppError when the rest turns out not to be valid.
   *
   * @param modelName what the model is called where the body goes
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
    // The sender sees its error; without a sender it does not matter.
    content.on('error', () => undefined);
    return { content, lengthBytes, isSent };
  }

  /** Uncopied: joining the pieces of a large body would block the event loop. */
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
    // Whole, it can be sent again from the start.
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

  /** The next chunk, once it is seen to be valid; undefined after the last. */
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

  /** Servers that obey the last of several models, or one in capitals, would serve another model than was checked. */
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
