import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { copyFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { failure } from './failure.js';

const maxFileBytes = 10 * 1024 * 1024;
const followedBytes = 20_000;
const checkIntervalMilliseconds = 1000;

/** Keeps statements and row values, which may contain secrets, out of the log. */
export const logSettings = ['log_error_verbosity=terse', 'log_min_error_statement=panic'];

/**
 * PostgreSQL's log: the current file and the previous one. The server appends to the file itself, so the log is complete
 * even if Keycard is killed. A large file is therefore copied and truncated instead of renamed.
 */
export class ServerLog {
  readonly file: string;

  /** @param dataDirectory DATA_DIR, which PostgreSQL's user can't write to */
  constructor(
    dataDirectory: string,
    private readonly fileLimitBytes = maxFileBytes,
  ) {
    this.file = path.join(dataDirectory, 'postgresql.log');
  }

  /** Opens a file descriptor for the standard error output of a new server. */
  open(): number {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
    try {
      return openSync(this.file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    } catch (error) {
      throw failure(`PostgreSQL's log ${this.file} cannot be written`, error, 'make that file writable or remove it');
    }
  }

  /** Returns a function that reads the text appended since this call, up to the last 20,000 characters. */
  follow(): () => string {
    let offset = statSync(this.file).size;
    let text = '';
    return () => {
      const { added, end } = this.read(offset);
      offset = end;
      return (text = (text + added).slice(-followedBytes));
    };
  }

  /** Copies and truncates the file if it is too large. */
  async rotate(): Promise<void> {
    const { size } = await stat(this.file);
    if (size <= this.fileLimitBytes) return;
    await copyFile(this.file, `${this.file}.1`);
    await truncate(this.file);
  }

  /** Rotates the log regularly until the returned function is called. */
  keepBounded(): () => void {
    // A full disk or a missing file is ignored; the next check may succeed.
    const timer = setInterval(() => void this.rotate().catch(() => undefined), checkIntervalMilliseconds);
    timer.unref();
    return () => clearInterval(timer);
  }

  private read(from: number): { added: string; end: number } {
    const file = openSync(this.file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = fstatSync(file);
      const start = Math.max(from > size ? 0 : from, size - followedBytes);
      const chunk = Buffer.alloc(size - start);
      const length = readSync(file, chunk, 0, chunk.length, start);
      return { added: chunk.toString('utf8', 0, length), end: start + length };
    } finally {
      closeSync(file);
    }
  }
}
