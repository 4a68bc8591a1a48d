const updateMilliseconds = 200;
const eraseLine = '\r\u001b[2K';

interface Output {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

/** Reports the progress of a command: one line per step. On a terminal, the current step is updated in place. */
export class Progress {
  private updatedAt = -Infinity;

  constructor(private readonly output: Output) {}

  update(text: string): void {
    if (this.output.isTTY !== true || performance.now() - this.updatedAt < updateMilliseconds) return;
    this.updatedAt = performance.now();
    this.output.write(`${eraseLine}${text}`);
  }

  finish(text: string): void {
    this.output.write(`${this.output.isTTY === true ? eraseLine : ''}${text}\n`);
  }
}
