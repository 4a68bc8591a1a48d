import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { errorName } from './error-facts.js';
import { toErrorResponse } from './error-response.js';
import { toAppError } from './to-app-error.js';

/** Responds to every error of a route, and logs server faults. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // The client is gone and its work was dropped, so there is nothing to send or report.
    if (errorName(thrown) === 'AbortError') return;
    const error = toAppError(thrown);
    if (error.status >= 500) this.logger.error({ requestId: request.id, err: error.cause ?? error }, error.message);
    if (reply.sent) return;
    const { status, headers, body } = toErrorResponse(error, { url: request.url, requestId: request.id });
    void reply.code(status).headers(headers).send(body);
  }
}
