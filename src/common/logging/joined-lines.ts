interface Destination {
  write(text: string): unknown;
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Hands on the lines of one turn of the event loop in one piece. pino's own destination measures all the text that
 * it holds again with each line; under load that takes a tenth of the processor.
 */
export class JoinedLines implements Destination {
  private lines = '';

  constructor(private readonly destination: Destination) {
    // Comes before the destination's own listener, which then writes these lines too.
    process.prependOnceListener('exit', () => this.handOn());
  }

  write(line: string): void {
    if (this.lines === '') setImmediate(() => this.handOn());
    this.lines += line;
  }

  flush(done?: (error?: Error) => void): void {
    this.handOn();
    this.destination.flush(done);
  }

  flushSync(): void {
    this.handOn();
    this.destination.flushSync();
  }

  private handOn(): void {
    if (this.lines === '') return;
    const { lines } = this;
    this.lines = '';
    this.destination.write(lines);
  }
}
