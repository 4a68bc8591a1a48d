interface Destination {
  write(text: string): unknown;
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Passes the lines of one turn of the event loop on in one piece: a system call for each line would take a tenth of the
 * processor under load.
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
