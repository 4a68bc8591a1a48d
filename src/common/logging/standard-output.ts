import { fstatSync, write, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { JoinedLines } from './joined-lines.js';
import { LogOutput, type WriteText } from './log-output.js';

const standardOutput = 1;
/** pino's level `warn`. */
const warn = 40;

/** Standard output as a log destination that never blocks, never throws and uses a limited amount of memory. */
export function openStandardOutput(): JoinedLines {
  // The service keeps running if the reader of its output goes away.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const output = new LogOutput({
    write: isPipe() ? writeToPipe : fileWriter(),
    writeNow: (text) => writeSync(standardOutput, text),
    describeDropped,
  });
  process.on('exit', () => output.flushSync());
  return new JoinedLines(output);
}

/** Waits until the log is written, up to a time limit: its destination may be stalled. */
export async function flushLog(logger: Logger, milliseconds: number): Promise<void> {
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
