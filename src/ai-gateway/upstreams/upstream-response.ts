import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { MeterAmounts, MeterName } from '../../common/rules/meters.js';
import { isCount } from '../../common/storable.js';
import { applyEdits, type JsonEdit } from '../json/json-edit.js';
import { type JsonField, JsonScanner } from '../json/json-scanner.js';
import type { RequestUsage } from '../request-usage.js';

/** What arrives at once is collected up to this size: reading more would delay other requests. */
const maxBeginningBytes = 64 * 1024;

/** What is searched for in a response. */
export interface ResponseFields {
  /** Paths of the fields that report amounts. */
  readonly usageFields: ReadonlyMap<string, MeterName>;
  /** The same paths, and `model`. */
  readonly wanted: ReadonlySet<string>;
  readonly completeUsage?: ((usage: MeterAmounts) => boolean) | undefined;
}

/**
 * The body of an upstream's response. Takes the usage from it and restores the model name the client sent, as it passes.
 * What follows its beginning becomes a stream.
 */
export class UpstreamResponse {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private restStream: Readable | undefined;
  private readonly scanner: JsonScanner;
  private renames: JsonEdit[] = [];
  /** Received but not yet forwarded, because a model name in it may be incomplete. */
  private held: Buffer = Buffer.alloc(0);
  /** Where `held` starts in the response, in bytes. */
  private heldStart = 0;

  /**
   * @param modelName replaces the upstream's model name
   * @param usage is filled in
   */
  constructor(
    private readonly modelName: string,
    private readonly usage: RequestUsage,
    private readonly fields: ResponseFields,
  ) {
    this.scanner = new JsonScanner(fields.wanted, (field) => this.take(field));
  }

  /** What follows the beginning; read no faster than the client reads. Undefined while the beginning is being collected. */
  get rest(): Readable | undefined {
    return this.restStream;
  }

  /** How much of the response was read, in bytes. */
  get readBytes(): number {
    return this.heldStart + this.held.length;
  }

  /** Whether the object that was read is complete, so that the response may end. */
  get isComplete(): boolean {
    return this.scanner.isComplete;
  }

  /**
   * Adds to the beginning.
   *
   * @returns whether it must not become longer
   */
  collect(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    return this.bytes > maxBeginningBytes;
  }

  /** Ends the beginning. The rest becomes a stream. */
  openRest(controller: Dispatcher.DispatchController): void {
    controller.pause();
    this.restStream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('The rest of the response is not needed.'));
        done(error);
      },
    });
    // Its reader gets the error as well; until then no one listens.
    this.restStream.on('error', () => undefined);
  }

  /** The beginning: the whole response if there is no rest. */
  takeBeginning(): Buffer {
    const { chunks, bytes } = this;
    this.chunks = [];
    const [only] = chunks;
    return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
  }

  /**
   * Reads the next part of the response.
   *
   * @returns what may be forwarded now; all of it if the response came in one piece
   * @throws JsonScanError if the response isn't a JSON object
   */
  read(chunk: Buffer): Buffer {
    this.scanner.push(chunk);
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const settled = this.scanner.settledBytes - this.heldStart;
    const passed = settled === bytes.length ? bytes : bytes.subarray(0, settled);
    this.held = bytes.subarray(settled);
    const renamed = this.renames.length === 0 ? passed : this.rename(passed);
    this.heldStart += settled;
    return renamed;
  }

  /** @throws JsonScanError if the response isn't complete */
  end(): void {
    this.scanner.end();
    const { usage, fields } = this;
    if (fields.completeUsage === undefined) return;
    if (fields.completeUsage(usage)) usage.isUnreported = false;
    else usage.responseBytes = this.readBytes;
  }

  private rename(bytes: Buffer): Buffer {
    const pieces = applyEdits(bytes, this.renames, this.heldStart);
    this.renames = [];
    return Buffer.concat(pieces);
  }

  private take({ path, value, start, end }: JsonField): void {
    if (path === 'model') {
      if (typeof value !== 'string' || value === this.modelName) return;
      this.renames.push({ start, end, json: JSON.stringify(this.modelName) });
      return;
    }
    const meter = this.fields.usageFields.get(path);
    if (meter === undefined || !isCount(value)) return;
    this.usage[meter] = value;
    if (this.fields.completeUsage === undefined) this.usage.isUnreported = false;
  }
}
