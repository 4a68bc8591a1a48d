import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, invalidField } from '../common/errors/app-error.js';
import { BodyReader } from '../common/http/body-reader.js';
import { parseJsonSafely } from '../common/http/parse-json.js';
import { JsonScanError } from '../common/json/json-scan-error.js';
import { type JsonField, JsonScanner } from '../common/json/json-scanner.js';
import { replaceField } from '../common/json/replace-field.js';

/** Bodies up to this size are read as a whole before anything is done; of larger ones, as much as it takes. */
const wholeBodyBytes = 1024 * 1024;

const wanted = new Set(['model']);

/** What is read of a request to a route that has its JSON streamed. */
interface StreamedRequest {
  /** A stream; undefined when nothing was sent. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly routeOptions: { readonly bodyLimit: number };
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
  private readonly reader: BodyReader;
  private readonly scanner = new JsonScanner(wanted, (field) => this.takeModel(field));
  private model: (JsonField & { value: string }) | undefined;
  private chunks: Buffer[] = [];
  private receivedBytes = 0;
  private isComplete = false;
  private isHandedOn = false;

  private constructor(
    body: Readable,
    limitBytes: number,
    /** How long the client says the body is; undefined when it does not. */
    private readonly announcedBytes: number | undefined,
    private readonly onKept: (bytes: number) => void,
  ) {
    this.reader = new BodyReader(body, limitBytes);
  }

  /**
   * Reads the body of a route that has it streamed until the model is known.
   *
   * @param onKept told of the bytes that are kept in memory as they arrive; what it throws refuses the request
   * @throws AppError 400 for what is not a JSON object with one `model`, 413 when it is larger than the route allows
   */
  static async read(
    { body, headers, routeOptions }: StreamedRequest,
    onKept: (bytes: number) => void = () => undefined,
  ): Promise<ModelRequest> {
    if (body === undefined) throw new AppError('malformed-request', 'The body is not a JSON object.');
    const announced = headers['content-length'];
    const announcedBytes = announced === undefined ? undefined : Number(announced);
    const request = new ModelRequest(body as Readable, routeOptions.bodyLimit, announcedBytes, onKept);
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
   * The whole body: a JSON object.
   *
   * @throws AppError 400, 413, or what `onKept` throws
   */
  async readAll(): Promise<Buffer> {
    await this.receiveUntil(() => false);
    return this.received();
  }

  /**
   * The whole body, parsed.
   *
   * @throws AppError 400, 413
   */
  async parse(): Promise<unknown> {
    const bytes = await this.readAll();
    try {
      return parseJsonSafely(bytes.toString('utf8'));
    } catch (error) {
      throw new AppError('malformed-request', 'The body is not valid JSON.', { cause: error });
    }
  }

  /**
   * The body as it came, but for the name of the model: whole, or as a stream that is read as the client sends it.
   * The stream breaks with an AppError when what follows is not valid after all.
   *
   * @param modelName what the model is called where the body goes
   */
  withModel(modelName: string): OutgoingBody {
    const received = this.received();
    const model = this.knownModel();
    const renamed = model.value === modelName ? received : replaceField(received, model, modelName);
    if (this.isComplete) return { content: renamed, lengthBytes: renamed.length, isSent: undefined };
    const { announcedBytes } = this;
    const lengthBytes = announcedBytes && announcedBytes + renamed.length - received.length;
    let settle: (isSent: boolean) => void = () => undefined;
    const isSent = new Promise<boolean>((resolve) => (settle = resolve));
    const content = Readable.from(this.handOn(renamed, settle), { objectMode: false });
    // Whoever sends it gets to see its error; when nobody does, it is of no interest.
    content.on('error', () => undefined);
    return { content, lengthBytes, isSent };
  }

  private async *handOn(received: Buffer, settle: (isSent: boolean) => void): AsyncGenerator<Buffer> {
    this.isHandedOn = true;
    try {
      yield received;
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
    } finally {
      settle(this.isComplete);
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
    const chunk = await this.reader.next();
    try {
      if (chunk !== undefined) this.scanner.push(chunk);
      else this.scanner.end();
    } catch (error) {
      throw error instanceof JsonScanError ? new AppError('malformed-request', `The body ${error.message}.`) : error;
    }
    this.isComplete = chunk === undefined;
    return chunk;
  }

  private received(): Buffer {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? Buffer.alloc(0);
  }

  private knownModel() {
    if (this.model === undefined) throw modelIsMissing();
    return this.model;
  }

  /** Some servers would obey the last of several, or one in capitals: nobody shall reach a model in that way. */
  private takeModel(field: JsonField): void {
    if (field.path !== 'model') throw invalidField('model', 'model must be written in lower case.');
    if (this.model !== undefined) throw invalidField('model', 'model must be given once.');
    if (typeof field.value !== 'string' || field.value === '') throw modelIsMissing();
    this.model = { ...field, value: field.value };
  }
}

function modelIsMissing(): AppError {
  return invalidField('model', 'model must be the id of a model, as text.');
}
