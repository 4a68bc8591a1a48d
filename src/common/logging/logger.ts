import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/**
 * The service's logger: JSON lines on standard output, readable ones on a terminal.
 *
 * Errors are reduced to type, message, code and stack: a failed query also carries its parameters, and those
 * may be the hash of a key.
 */
export function createLogger(level: string): Logger {
  const destination = process.stdout.isTTY
    ? pretty({ colorize: true, ignore: 'pid,hostname', sync: true })
    : pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 });
  return pino({ level, serializers: { err: describeError }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

function describeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error };
  return {
    type: error.name,
    message: error.message,
    code: 'code' in error ? error.code : undefined,
    stack: error.stack,
  };
}
