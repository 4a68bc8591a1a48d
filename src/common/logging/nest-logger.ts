import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Passes what Nest itself has to say to the service's logger; its routine start-up messages are for debugging. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    const err = message instanceof Error ? message : undefined;
    this.logger.error({ err, context: details.at(-1) }, String(message));
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.logger.fatal({ context: details.at(-1) }, String(message));
  }
}
