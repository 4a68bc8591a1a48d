import { AppError } from '../../../common/errors/app-error.js';
import { JsonScanner } from '../../json/json-scanner.js';
import type { EventReader } from '../../upstreams/events/event-reader.js';
import type { ServerSentEvent } from '../../upstreams/events/server-sent-event.js';
import { countText } from './delivered-text.js';
import type { Dialect, EventData } from './dialects/dialect.js';
import { parseEvent } from './dialects/event-type.js';
import type { GenerationUsage } from './generation-usage.js';

interface StreamSettings {
  /** The name the client sent, which replaces the upstream's. */
  readonly modelName: string;
  readonly requestId: string;
  /** Whether the client doesn't get the event that has only usage. */
  readonly hidesUsage: boolean;
}

/** Reads the events of a generated text: meters it, and changes nothing but the model's name. */
export class GenerationEvents implements EventReader {
  state: EventReader['state'] = 'open';
  private position = 0;
  /** The beginning of the latest event that named the model, and what replaced it: most events begin alike. */
  private prefix: { readonly theirs: Buffer; readonly ours: Buffer } | undefined;
  private readonly wanted: ReadonlySet<string>;

  constructor(
    private readonly dialect: Dialect,
    private readonly usage: GenerationUsage,
    private readonly settings: StreamSettings,
  ) {
    this.wanted = wantedBy(dialect);
  }

  read(event: ServerSentEvent): Buffer | undefined {
    if (event.dataStart === undefined) return event.bytes;
    this.position += 1;
    const { end, namesModel, reports, textKey } = this.dialect.interpret(event);
    if (textKey !== undefined) this.usage.addText(countText(event.data, textKey));
    if (reports === true && !this.readReport(parseEvent(event.data))) return undefined;
    if (end !== undefined) this.end(end);
    return namesModel === true ? this.rename(event) : event.bytes;
  }

  errorEvent(error: AppError): string {
    return this.dialect.errorEvent(error, { position: this.position, requestId: this.settings.requestId });
  }

  /** @returns whether the client gets the event */
  private readReport(event: EventData): boolean {
    const { dialect, usage } = this;
    if (dialect.isError(event)) this.end('failed');
    const amounts = dialect.usageIn(event);
    if (typeof amounts !== 'object' || amounts === null) return true;
    usage.report(amounts, dialect.isFinal(event));
    return !(this.settings.hidesUsage && dialect.isUsageOnly(event));
  }

  private end(state: 'complete' | 'failed'): void {
    this.state = state;
    if (state === 'complete') this.usage.endStream();
    else {
      this.usage.failure = new AppError('upstream-failed', 'The upstream reported an error in its stream.');
    }
  }

  private rename(event: ServerSentEvent): Buffer {
    const { bytes } = event;
    if (this.prefix === undefined || !startsWith(bytes, this.prefix.theirs)) this.prefix = this.findPrefix(event);
    if (this.prefix === undefined) return bytes;
    const { theirs, ours } = this.prefix;
    return theirs.equals(ours) ? bytes : Buffer.concat([ours, bytes.subarray(theirs.length)]);
  }

  /** The part of an event up to the model's name, and its replacement. */
  private findPrefix({ bytes, data, dataStart = 0 }: ServerSentEvent) {
    let found: { start: number; end: number } | undefined;
    const scanner = new JsonScanner(this.wanted, ({ value, start, end }) => {
      if (typeof value === 'string') found ??= { start, end };
    });
    try {
      scanner.push(data);
    } catch {
      // An event that isn't JSON passes as it is.
    }
    if (found === undefined) return undefined;
    const before = bytes.subarray(0, dataStart + found.start);
    const theirs = Buffer.from(bytes.subarray(0, dataStart + found.end));
    const ours = Buffer.concat([before, Buffer.from(JSON.stringify(this.settings.modelName))]);
    return { theirs, ours };
  }
}

/** By dialect, because scanners remember how deep a set of paths is. */
const wantedFields = new Map<Dialect, ReadonlySet<string>>();

function wantedBy(dialect: Dialect): ReadonlySet<string> {
  const wanted = wantedFields.get(dialect) ?? new Set([dialect.modelPath]);
  wantedFields.set(dialect, wanted);
  return wanted;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0;
}
