import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { errorCode, errorMessage, errorName } from '../errors/error-utils.js';
import { openStandardOutput } from './standard-output.js';

/**
 * Creates the service's logger: JSON lines on standard output, or readable lines on a terminal. If the destination is
 * full, stalled or gone, lines are dropped; the service doesn't slow down.
 *
 * Errors are reduced to type, message, code and stack: a failed query also carries its parameters, which may include the
 * hash of a key.
 */
export function createLogger(level: string, destination = standardOutput()): Logger {
  return pino({ level, serializers: { err: describeError }, timestamp: isoTime }, destination);
}

let lastMilliseconds = 0;
let lastTime = '';

/** pino's `isoTime`, formatted once per millisecond: under load, many lines share a timestamp. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMilliseconds) {
    lastMilliseconds = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

function standardOutput(): DestinationStream {
  const output = openStandardOutput();
  if (!process.stdout.isTTY) return output;
  const prettify = pretty.prettyFactory({ colorize: true, singleLine: true, ignore: 'pid,hostname' });
  // pino-pretty's own stream would stop the process while the terminal is stalled.
  const terminal = {
    write: (line: string) => output.write(prettify(line)),
    flush: (done?: (error?: Error) => void) => output.flush(done),
  };
  return terminal;
}

function describeError(error: unknown) {
  const stack = error instanceof Error ? error.stack : undefined;
  return { type: errorName(error), message: errorMessage(error), code: errorCode(error), stack };
}
