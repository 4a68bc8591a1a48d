import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { FileSinkDefinition } from '../../config/sink-definition.js';
import { type Sink, type SinkBatch, toLines } from './sink.js';

const lineFeed = 10;
/** Of every line of a sink. */
const lineStart = '{"index":';
const chunkBytes = 64 * 1024;

/**
 * Appends JSON lines to a file, and waits for the disk. Opens the file for each batch, so that it can be renamed or
 * truncated at any time.
 */
export class FileSink implements Sink {
  readonly maxEvents = 500;
  readonly waitMilliseconds = 0;

  constructor(private readonly definition: FileSinkDefinition) {}

  async deliver(batch: SinkBatch): Promise<void> {
    const { path: file } = this.definition;
    // Not only for appending, because a line that was cut off has to be removed.
    const handle = await open(file, 'a+', 0o600);
    try {
      await endLastLine(handle);
      await handle.appendFile(toLines(batch));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(path.dirname(file));
  }
}

/** Of a process that was killed while it wrote: its events follow again. Anything else is ended with a line break. */
async function endLastLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  const start = await findLastLine(handle, size);
  if (start === size) return;
  const { buffer } = await handle.read(Buffer.alloc(Math.min(lineStart.length, size - start)), 0, undefined, start);
  if (lineStart.startsWith(buffer.toString())) await handle.truncate(start);
  else await handle.appendFile('\n');
}

/** Where the text after the last line break starts. */
async function findLastLine(handle: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; end -= chunkBytes) {
    const start = Math.max(0, end - chunkBytes);
    const { buffer } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
    const place = buffer.lastIndexOf(lineFeed);
    if (place !== -1) return start + place + 1;
  }
  return 0;
}

/** A new file outlives a power failure only with its entry in the folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
