import { type JsonField, JsonScanner } from '../json/json-scanner.js';
import type { RequestUsage } from '../metering.js';

const wanted = new Set(['model', 'usage.prompt_tokens', 'usage.total_tokens', 'usage_info.pages_processed']);

/** Reads an upstream's response as it passes: takes the usage from it, and restores the model name the client sent. */
export class ResponseReader {
  private readonly scanner = new JsonScanner(wanted, (field) => this.take(field));
  private names: JsonField[] = [];
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
  ) {}

  /**
   * @returns what may be forwarded now; all of it if the response came in one piece
   * @throws JsonScanError when the response is not a JSON object
   */
  push(chunk: Buffer): Buffer {
    this.scanner.push(chunk);
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const settled = this.scanner.settledBytes - this.heldStart;
    const passed = settled === bytes.length ? bytes : bytes.subarray(0, settled);
    this.held = bytes.subarray(settled);
    const renamed = this.names.length === 0 ? passed : this.rename(passed);
    this.heldStart += settled;
    return renamed;
  }

  /** @throws JsonScanError when the response is not complete */
  end(): void {
    this.scanner.end();
  }

  private rename(bytes: Buffer): Buffer {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const { start, end } of this.names) {
      pieces.push(bytes.subarray(from, start - this.heldStart), Buffer.from(JSON.stringify(this.modelName)));
      from = end - this.heldStart;
    }
    this.names = [];
    return Buffer.concat([...pieces, bytes.subarray(from)]);
  }

  private take(field: JsonField): void {
    switch (field.path) {
      case 'model':
        if (typeof field.value === 'string' && field.value !== this.modelName) this.names.push(field);
        break;
      case 'usage.prompt_tokens':
      case 'usage.total_tokens':
        // Embeddings have no output tokens, so the two are the same.
        this.usage.inputTokens = countOf(field.value) ?? this.usage.inputTokens;
        break;
      case 'usage_info.pages_processed':
        this.usage.pages = countOf(field.value) ?? this.usage.pages;
        break;
    }
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
