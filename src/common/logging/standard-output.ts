import cluster from 'node:cluster';
import { fstatSync, write, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { JoinedLines } from './joined-lines.js';
import { LogOutput, type WriteText } from './log-output.js';

const standardOutput = 1;
/** Linux doesn't split a write of this size to a pipe. */
const atomicBytes = 4096;
/** pino's level `warn`. */
const warn = 40;

/** Standard output as a log destination that never blocks, never throws and uses a limited amount of memory. */
export function openStandardOutput(): JoinedLines {
  // The service keeps running if the reader of its output goes away.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const output = new LogOutput({
    write: !isPipe() ? fileWriter() : cluster.isWorker ? writeToSharedPipe : writeToPipe,
    writeNow: (text) => writeSync(standardOutput, text),
    describeDropped,
  });
  process.on('exit', () => output.flushSync());
  return new JoinedLines(output);
}

/** Waits until the log is written, up to a time limit: its destination may be stalled. */
export async function flushLog(logger: Logger, milliseconds = 1000): Promise<void> {
  const timer = new AbortController();
  const flushed = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await Promise.race([flushed, delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}

function isPipe(): boolean {
  const stat = fstatSync(standardOutput);
  return stat.isFIFO() || stat.isSocket();
}

/** Node writes to pipes without blocking. */
const writeToPipe: WriteText = (text, done) => {
  process.stdout.write(text, done);
};

/** Writes a few whole lines at a time, so that they don't get mixed up with lines of other instances. */
const writeToSharedPipe: WriteText = (text, done) => {
  const bytes = Buffer.from(text);
  const writeFrom = (start: number) => {
    const end = endOfLines(bytes, start);
    process.stdout.write(bytes.subarray(start, end), (error) => {
      if (error || end === bytes.length) done(error);
      else writeFrom(end);
    });
  };
  writeFrom(0);
};

/** The end of the lines from `start` that fit in one write, or of the first one. */
function endOfLines(bytes: Buffer, start: number): number {
  const limit = start + atomicBytes;
  if (bytes.length <= limit) return bytes.length;
  const last = bytes.lastIndexOf('\n', limit - 1);
  const end = last >= start ? last : bytes.indexOf('\n', limit);
  return end === -1 ? bytes.length : end + 1;
}

/** Node's own stream blocks while it writes to a file, and throws if the disk is full. */
function fileWriter(): WriteText {
  let isLineTorn = false;
  return (text, done) => {
    const bytes = Buffer.from(isLineTorn ? `\n${text}` : text);
    const writeFrom = (offset: number) => {
      write(standardOutput, bytes, offset, bytes.length - offset, null, (error, written) => {
        if (error) {
          isLineTorn ||= offset > 0;
          done(error);
        } else if (offset + written < bytes.length) {
          writeFrom(offset + written);
        } else {
          isLineTorn = false;
          done();
        }
      });
    };
    writeFrom(0);
  };
}

function describeDropped(lines: number): string {
  const msg = 'Log lines were dropped because standard output did not accept them.';
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: warn, time, pid: process.pid, hostname: hostname(), droppedLines: lines, msg })}\n`;
}
