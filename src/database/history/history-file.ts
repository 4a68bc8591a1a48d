import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import type { RememberedRow } from './history-queries.js';

const schema = z.object({
  databaseId: z.uuid(),
  generation: z.int().nonnegative(),
  beat: z.int().nonnegative(),
  token: z.uuid(),
});

/** Where a replica keeps it. */
export const historyFileIn = (dataDir: string) => path.join(dataDir, 'database-history.json');

/** Keeps the remembered row while the replica is stopped. */
export class HistoryFile {
  private hasWarned = false;

  constructor(
    private readonly file: string,
    private readonly logger: { warn: (message: string) => void },
  ) {}

  /** @returns undefined if there is none, or, with a warning, if it can't be read */
  read(): RememberedRow | undefined {
    try {
      return schema.parse(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.warn('read', error);
      return undefined;
    }
  }

  /** Replaces the file, so that a crash never leaves half of it. Failures are logged once. */
  async write(row: RememberedRow): Promise<void> {
    const partial = `${this.file}.${process.pid}`;
    try {
      await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
      await writeFile(partial, JSON.stringify(row), { mode: 0o600 });
      await rename(partial, this.file);
    } catch (error) {
      this.warn('written', error);
    }
  }

  private warn(verb: 'read' | 'written', error: unknown): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const effect = "After a restart, this replica won't recognize a database that went back in time.";
    this.logger.warn(`${this.file} can't be ${verb} (${errorMessage(error)}). ${effect}`);
  }
}
