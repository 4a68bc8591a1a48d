interface Destination {
  write(text: string): unknown;
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Joins the lines of one event loop turn into one write: under load, a system call per line would use a tenth of the
 * CPU.
 */
export class JoinedLines implements Destination {
  private lines = '';

  constructor(private readonly destination: Destination) {
    // Runs before the destination's own listener, which then writes these lines too.
    process.prependOnceListener('exit', () => this.writeLines());
  }

  write(line: string): void {
    if (this.lines === '') setImmediate(() => this.writeLines());
    this.lines += line;
  }

  flush(done?: (error?: Error) => void): void {
    this.writeLines();
    this.destination.flush(done);
  }

  flushSync(): void {
    this.writeLines();
    this.destination.flushSync();
  }

  private writeLines(): void {
    if (this.lines === '') return;
    const { lines } = this;
    this.lines = '';
    this.destination.write(lines);
  }
}
