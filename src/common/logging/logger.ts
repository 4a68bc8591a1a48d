import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { errorCode, errorMessage, errorName } from '../errors/error-facts.js';
import { openStandardOutput } from './standard-output.js';

/**
 * The service's logger: JSON lines on standard output, or readable ones on a terminal. A destination that is full,
 * stalled or gone loses lines; it does not slow the service down.
 *
 * Errors are reduced to type, message, code and stack: a failed query also carries its parameters, and those
 * may be the hash of a key.
 */
export function createLogger(level: string, destination = standardOutput()): Logger {
  return pino({ level, serializers: { err: describeError }, timestamp: isoTime }, destination);
}

let lastMilliseconds = 0;
let lastTime = '';

/** pino's `isoTime`, but written once a millisecond: under load many lines share one, and writing it is not cheap. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMilliseconds) {
    lastMilliseconds = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

function standardOutput(): DestinationStream {
  return process.stdout.isTTY
    ? pretty({ colorize: true, singleLine: true, ignore: 'pid,hostname', sync: true })
    : openStandardOutput();
}

function describeError(error: unknown) {
  const stack = error instanceof Error ? error.stack : undefined;
  return { type: errorName(error), message: errorMessage(error), code: errorCode(error), stack };
}
