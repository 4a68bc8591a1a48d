import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { TurnBudget } from '../../common/event-loop-turn.js';
import { ByteCollector, type MemoryShare } from '../../common/http/body-memory.js';
import type { BodyReader } from '../../common/http/body-reader.js';
import { applyEdits, type JsonEdit } from '../json/json-edit.js';
import { type JsonField, JsonScanner } from '../json/json-scanner.js';
import { JsonScanError } from '../json/token-reader.js';

/** Bodies up to this size are buffered. Larger ones are read until the model is known, and then streamed. */
const wholeBodyBytes = 1024 * 1024;

const wanted = new Set(['model']);

/** The parts of a request that are read here. */
interface UnreadRequest {
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
  readonly sent: Promise<boolean> | undefined;
}

/** The JSON body of a request whose `model` is known. The rest of a large one may still be arriving. */
export class ModelRequest {
  private readonly scanner: JsonScanner;
  private readonly received: ByteCollector;
  private model: (JsonField & { value: string }) | undefined;
  private isComplete = false;
  private isForwarded = false;

  private constructor(
    private readonly reader: BodyReader,
    /** `Content-Length`, if sent. */
    private readonly announcedBytes: number | undefined,
    private readonly memory: MemoryShare,
    measuredField: string | undefined,
  ) {
    this.scanner = new JsonScanner(wanted, (field) => this.takeModel(field), measuredField);
    this.received = new ByteCollector(memory);
  }

  /**
   * Reads a body until the model is known, and up to 1 MB to its end.
   *
   * @param memory what buffered bytes are counted against
   * @param measuredField a field whose length is measured, in lower case
   * @throws AppError 400 if it isn't a JSON object with one `model`, 413 if it's larger than the route allows, 408 if it
   *   stops arriving, 503 if there is no memory for it
   */
  static async read(
    { body, headers }: UnreadRequest,
    memory: MemoryShare,
    measuredField?: string,
  ): Promise<ModelRequest> {
    if (body === undefined) throw new AppError('malformed-request', 'The body is not a JSON object.');
    const announced = headers['content-length'];
    const announcedBytes = announced === undefined ? undefined : Number(announced);
    const request = new ModelRequest(body as BodyReader, announcedBytes, memory, measuredField);
    await request.receive(wholeBodyBytes);
    return request;
  }

  /** The model name the client sent. */
  get modelName(): string {
    return this.knownModel().value;
  }

  /** Length of the measured field in JSON, as far as it was received. */
  get measuredBytes(): number {
    return this.scanner.measuredBytes;
  }

  /** Whether the body can be sent again: it is buffered, or none of it was forwarded. */
  get canBeRepeated(): boolean {
    return !this.isForwarded;
  }

  /**
   * The whole body in one buffer.
   *
   * @throws AppError as `read`
   */
  async readAll(): Promise<Buffer> {
    await this.receive(Infinity);
    return this.received.bytes;
  }

  /**
   * Passes the whole body to a parser as it arrives. If the parser throws, the rest is left unread.
   *
   * @throws AppError as `read`, or what the parser throws
   */
  async parseWith<Result>(parser: { push: (chunk: Buffer) => void; end: () => Result }): Promise<Result> {
    const turns = new TurnBudget();
    const push = (chunk: Buffer) => explainScanError(() => parser.push(chunk));
    const { bytes } = this.received;
    for (let at = 0; at < bytes.length; at += turns.bytesPerTurn) {
      const chunk = bytes.subarray(at, at + turns.bytesPerTurn);
      const turn = turns.spend(chunk.length);
      if (turn !== undefined) await turn;
      push(chunk);
    }
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      this.memory.take(chunk.length);
      push(chunk);
    }
    return explainScanError(() => parser.end());
  }

  /** What replaces the model name the client sent; nothing if it's the same. */
  renameModel(modelName: string): readonly JsonEdit[] {
    const { value, start, end } = this.knownModel();
    return value === modelName ? [] : [{ start, end, json: JSON.stringify(modelName) }];
  }

  /**
   * The body, unchanged except for edits: buffered, or a stream that follows the client's. The stream fails with an
   * AppError if the rest turns out to be invalid.
   *
   * @param edits of what was received so far, in order
   */
  edited(edits: readonly JsonEdit[]): OutgoingBody {
    const pieces = applyEdits(this.received.bytes, edits);
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    if (this.isComplete && size <= wholeBodyBytes) {
      return { content: Buffer.concat(pieces, size), lengthBytes: size, sent: undefined };
    }
    const { announcedBytes } = this;
    const lengthBytes = this.isComplete ? size : announcedBytes && announcedBytes + size - this.received.length;
    let settle: (isSent: boolean) => void = () => undefined;
    const sent = new Promise<boolean>((resolve) => (settle = resolve));
    const content = Readable.from(this.forward(pieces, settle), { objectMode: false });
    // The sender gets its error. Without a sender it doesn't matter.
    content.on('error', () => undefined);
    return { content, lengthBytes, sent };
  }

  /** Frees what was received. Call it when the body isn't needed any more. */
  discard(): void {
    this.received.clear();
  }

  private async *forward(received: readonly Buffer[], settle: (isSent: boolean) => void): AsyncGenerator<Buffer> {
    // A complete body can be sent again.
    this.isForwarded = !this.isComplete;
    try {
      yield* received;
      if (this.isComplete) return settle(true);
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
      settle(this.isComplete);
    } finally {
      settle(false);
    }
  }

  /** Reads until the model is known and more than `wantedBytes` were received, or to the end. */
  private async receive(wantedBytes: number): Promise<void> {
    while (this.model === undefined || this.received.length <= wantedBytes) {
      const chunk = await this.next();
      if (chunk === undefined) break;
      if (this.received.length > wholeBodyBytes) this.received.reserve(this.announcedBytes);
      this.received.add(chunk);
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

  /** Rejects duplicate or differently-cased keys: an upstream could read a different model from the one checked here. */
  private takeModel(field: JsonField): void {
    if (field.path !== 'model') throw invalidField('model', 'model must be written in lower case.');
    if (this.model !== undefined) throw invalidField('model', 'model must be given once.');
    this.model = { ...field, value: parseModelName(field.value) };
  }
}

function explainScanError<Result>(scan: () => Result): Result {
  try {
    return scan();
  } catch (error) {
    throw error instanceof JsonScanError ? new AppError('malformed-request', `The body ${error.message}.`) : error;
  }
}

/** @throws AppError 400 */
export function parseModelName(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw modelIsMissing();
}

function modelIsMissing(): AppError {
  return invalidField('model', 'model is required: the id of a model, as a string.');
}
