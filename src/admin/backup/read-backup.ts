import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { version } from '../../common/package-info.js';
import { CommandError } from '../admin-command.js';
import {
  type BackupHeader,
  type BackupTable,
  type Checksum,
  checksumSchema,
  endOfRows,
  formatVersion,
  headerSchema,
  maxRowBytes,
  maxTables,
  tableSchema,
  type Totals,
  totalsSchema,
  versionSchema,
} from './backup-format.js';
import { hashContent, type Signature } from './signature.js';

/** The signature of the file, if it has one, and the key to check it with. */
interface Signed {
  signature?: Signature;
  key?: string;
}

const chunkBytes = 256 * 1024;
/** More than any line of JSON in a backup. */
const maxLineBytes = 1024 * 1024;
const lineFeed = 10;

/** Reads the content of a backup in order, in bounded memory. */
export class BackupReader {
  private readonly source;
  private readonly chunks: AsyncIterator<Buffer, undefined>;
  /** Content that was read but not returned; starts at the beginning of a line. */
  private pending: Buffer = Buffer.alloc(0);
  private readonly size: number;
  private readonly tables = new Set<string>();
  private readonly signature: Signed['signature'];
  private readonly hash;

  /** @param signed leaves out the signature, and checks it again at the end if the key is known */
  constructor(
    private readonly file: string,
    { signature, key }: Signed = {},
  ) {
    this.size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.signature = signature;
    this.hash = key === undefined ? undefined : hashContent(key);
    this.source = createReadStream(file, { end: signature && Math.max(0, signature.contentBytes - 1) });
    this.source.on('data', (chunk) => this.hash?.update(chunk));
    const gunzip = createGunzip({ chunkSize: chunkBytes });
    // The iterator throws the errors of both.
    pipeline(this.source, gunzip, () => undefined);
    this.chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /** How much of the file was read. */
  get percentRead(): number {
    return Math.floor((100 * this.source.bytesRead) / this.size);
  }

  /** @throws CommandError if the file isn't a backup, or was made by a newer Keycard */
  async readHeader(): Promise<BackupHeader> {
    const content = await this.readHeaderLine();
    const { data: format } = versionSchema.safeParse(content);
    if (format === undefined) throw this.notBackup();
    if (format.keycardBackup > formatVersion) {
      throw new CommandError(
        `${this.file} was made by a newer Keycard, in format ${format.keycardBackup}. ` +
          `Keycard ${version} reads format ${formatVersion}: restore it with the version that made it, or a later one.`,
      );
    }
    const { data: header } = headerSchema.safeParse(content);
    if (header === undefined) throw this.damaged('its header is invalid');
    return header;
  }

  /** Returns the next table, whose rows and checksum must be read next, or the totals after the last one. */
  async readTable(): Promise<BackupTable | Totals> {
    const next = await this.readLine(tableSchema.or(totalsSchema));
    if ('table' in next) {
      if (this.tables.has(next.table)) throw this.damaged(`the table ${next.table} is in it twice`);
      if (this.tables.size === maxTables) throw this.damaged(`it has more than ${maxTables} tables`);
      this.tables.add(next.table);
    }
    return next;
  }

  /**
   * Returns complete rows, and at the end their checksum.
   *
   * @throws CommandError if it isn't the recorded one
   */
  async *readRows({ table }: BackupTable): AsyncGenerator<Buffer, Checksum> {
    const hash = createHash('sha256');
    for (;;) {
      const { rows, isEnd } = this.takeRows();
      hash.update(rows);
      if (rows.length > 0) yield rows;
      if (isEnd) break;
      if (this.pending.length > maxRowBytes) {
        throw this.damaged(`a row of ${table} is larger than ${maxRowBytes / 1024 / 1024} MB`);
      }
      await this.readMore();
    }
    const checksum = await this.readLine(checksumSchema);
    if (checksum.sha256 !== hash.digest('hex')) throw this.damaged(`the checksum of ${table} is wrong`);
    return checksum;
  }

  /** Reads to the end of the file, which checks gzip's own checksum, and that the file is still the signed one. */
  async readEnd(): Promise<void> {
    if (this.pending.length > 0 || (await this.nextChunk()) !== undefined) throw this.damaged('it has excess content');
    if (this.hash !== undefined && this.signature?.hmac.equals(this.hash.digest()) !== true) {
      throw this.damaged('it was changed while it was read');
    }
  }

  close(): void {
    this.source.destroy();
  }

  damaged(reason: string): CommandError {
    return new CommandError(`${this.file} is damaged: ${reason}. Use another backup.`);
  }

  private notBackup(): CommandError {
    return new CommandError(`${this.file} is not a Keycard backup.`);
  }

  private async readHeaderLine(): Promise<unknown> {
    try {
      return JSON.parse(await this.readText());
    } catch (error) {
      if (error instanceof SyntaxError) throw this.notBackup();
      throw error;
    }
  }

  private async readLine<Schema extends z.ZodType>(schema: Schema): Promise<z.output<Schema>> {
    const { data } = schema.safeParse(parseJson(await this.readText()));
    if (data === undefined) throw this.damaged('a line about a table is invalid');
    return data;
  }

  /** Returns the next line. */
  private async readText(): Promise<string> {
    let end: number;
    while ((end = this.pending.indexOf(lineFeed)) === -1) {
      if (this.pending.length > maxLineBytes) throw this.notBackup();
      await this.readMore();
    }
    return this.take(end + 1).toString();
  }

  /** Takes the complete rows among what was read. */
  private takeRows(): { rows: Buffer; isEnd: boolean } {
    const isEnd = this.pending.subarray(0, endOfRows.length).toString() === endOfRows;
    const end = isEnd ? 0 : this.pending.indexOf(`\n${endOfRows}`) + 1;
    if (!isEnd && end === 0) return { rows: this.take(this.pending.lastIndexOf(lineFeed) + 1), isEnd: false };
    const rows = this.take(end);
    this.take(endOfRows.length);
    return { rows, isEnd: true };
  }

  private take(length: number): Buffer {
    const taken = this.pending.subarray(0, length);
    this.pending = this.pending.subarray(length);
    return taken;
  }

  /** At least doubles the pending content if it can, so that a long row isn't searched and copied for every chunk. */
  private async readMore(): Promise<void> {
    const chunks = [this.pending];
    for (let missing = Math.max(1, this.pending.length); missing > 0; missing -= chunks.at(-1)?.length ?? 0) {
      const chunk = await this.nextChunk();
      if (chunk !== undefined) chunks.push(chunk);
      else if (chunks.length > 1) break;
      else throw this.damaged('its end is missing');
    }
    this.pending = Buffer.concat(chunks);
  }

  private async nextChunk(): Promise<Buffer | undefined> {
    try {
      return (await this.chunks.next()).value;
    } catch (error) {
      throw this.explain(error);
    }
  }

  private explain(error: unknown): unknown {
    const code = errorCode(error) ?? '';
    if (code === 'Z_BUF_ERROR') return this.damaged('its end is missing');
    if (errorMessage(error) === 'incorrect header check') return this.notBackup();
    if (code.startsWith('Z_')) return this.damaged(errorMessage(error));
    return code.startsWith('E') ? new CommandError(`${this.file} cannot be read: ${errorMessage(error)}.`) : error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
