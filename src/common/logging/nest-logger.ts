import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/**
 * Passes messages of Nest's `Logger` to the service's logger. An object after the message adds fields:
 * `logger.warn('Retrying on another target.', { requestId })`. `log` without fields is for debugging, like Nest's start-up
 * messages.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...details: unknown[]): void {
    const hasFields = details.some((detail) => typeof detail === 'object');
    this.logger[hasFields ? 'info' : 'debug'](toFields(message, details), String(message));
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.logger.warn(toFields(message, details), String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    this.logger.error(toFields(message, details), String(message));
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.logger.fatal(toFields(message, details), String(message));
  }
}

/** Nest passes the name of the logger last. */
function toFields(message: unknown, details: readonly unknown[]): object {
  const err = message instanceof Error ? message : undefined;
  const fields = details.find((detail) => typeof detail === 'object');
  return { err, context: details.at(-1), ...fields };
}
