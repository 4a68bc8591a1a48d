/** Writes text; calls `done` when it is written, or with an error. */
export type WriteText = (text: string, done: (error?: Error | null) => void) => void;

interface LogOutputOptions {
  write: WriteText;
  /** Writes text before the process exits; may throw. */
  writeNow: (text: string) => void;
  /** The line that reports how many lines were dropped. */
  describeDropped: (lines: number) => string;
  /** Maximum text waiting for the destination; further lines are dropped. */
  limitCharacters?: number;
  /** Pause after a failure. */
  retryMilliseconds?: number;
}

/**
 * Writes log lines to a destination that may be stalled, full or gone. It buffers a limited amount of text, drops further
 * lines, and reports how many it dropped as soon as the destination accepts text again.
 */
export class LogOutput {
  private pending = '';
  private droppedLines = 0;
  private state: 'idle' | 'writing' | 'failed' = 'idle';
  private waiting: (() => void)[] = [];
  private readonly limitCharacters: number;

  constructor(private readonly options: LogOutputOptions) {
    this.limitCharacters = options.limitCharacters ?? 8 * 1024 * 1024;
  }

  write(text: string): void {
    if (this.pending.length + text.length > this.limitCharacters) this.droppedLines += countLines(text);
    else this.pending += text;
    if (this.state === 'idle') this.writePending();
  }

  /** Calls back when everything is written or the destination has failed. */
  flush(done: (error?: Error) => void = () => undefined): void {
    if (this.state === 'writing') this.waiting.push(done);
    else done();
  }

  /** Writes pending text before the process exits, unless the destination is stalled or has failed. */
  flushSync(): void {
    if (this.state !== 'idle' || this.pending === '') return;
    const text = this.pending;
    this.pending = '';
    try {
      this.options.writeNow(text);
    } catch {
      this.droppedLines += countLines(text);
    }
  }

  private writePending(): void {
    const dropped = this.droppedLines;
    const text = this.pending;
    if (dropped === 0 && text === '') return this.settle();
    this.pending = '';
    this.droppedLines = 0;
    this.state = 'writing';
    const report = dropped === 0 ? '' : this.options.describeDropped(dropped);
    this.options.write(report + text, (error) => {
      this.state = 'idle';
      if (error) this.fail(dropped + countLines(text));
      else this.writePending();
    });
  }

  private fail(lostLines: number): void {
    this.droppedLines += lostLines;
    this.state = 'failed';
    const retry = () => {
      this.state = 'idle';
      this.writePending();
    };
    setTimeout(retry, this.options.retryMilliseconds ?? 1000).unref();
    this.settle();
  }

  private settle(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const done of waiting) done();
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) lines++;
  return lines;
}
