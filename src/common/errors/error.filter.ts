import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AppError } from './app-error.js';
import { errorCatalog } from './error-catalog.js';
import { toErrorResponse } from './error-response.js';
import { errorName } from './error-utils.js';
import type { OutageLog } from './outage-log.js';
import { toAppError } from './to-app-error.js';

/** Responds to all errors of routes and logs those with a 5xx status. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly outages: OutageLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // The client disconnected, so its work was canceled.
    if (errorName(thrown) === 'AbortError') return;
    const error = toAppError(thrown);
    if (error.status >= 500) this.report(error, request.id);
    if (reply.sent) return;
    const { url, method, id: requestId } = request;
    const { accept } = request.headers;
    const { status, headers, body } = toErrorResponse(error, { url, requestId, method, accept });
    void reply.code(status).headers(headers).send(body);
  }

  /** Deliberate rejections aren't errors: health checks during shutdown, or overload. */
  private report(error: AppError, requestId: string): void {
    const { code, cause, status, reported } = error;
    // What an upstream reports may quote the request.
    const message = reported === undefined ? error.message : errorCatalog[code].title;
    if (code === 'not-ready') this.logger.debug({ requestId, code }, message);
    else if (code === 'database-unavailable' && cause !== undefined) this.outages.fail(requestId, cause);
    else if (status === 503 && cause === undefined) this.logger.warn({ requestId, code }, message);
    else this.logger.error({ requestId, err: cause ?? error }, message);
  }
}
