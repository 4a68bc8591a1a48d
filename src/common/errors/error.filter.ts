import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AppError } from './app-error.js';
import { errorCatalogue } from './error-catalogue.js';
import { errorName } from './error-facts.js';
import type { OpenAiErrorDto } from './openai-error.dto.js';
import type { ProblemDto } from './problem.dto.js';
import { toAppError } from './to-app-error.js';

/** Answers every error: RFC 9457 on management routes, OpenAI's envelope on `/v1/*`. Server faults are logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // The client has gone and its work was dropped: nobody to answer, nothing to report.
    if (errorName(thrown) === 'AbortError') return;
    const error = toAppError(thrown);
    if (error.status >= 500) this.logger.error({ requestId: request.id, err: error.cause ?? error }, error.message);
    if (reply.sent) return;
    void reply.code(error.status).headers(error.headers);
    if (isAiRoute(request)) void reply.send(toOpenAiError(error));
    else void reply.type('application/problem+json').send(toProblem(error, request.id));
  }
}

function isAiRoute(request: FastifyRequest): boolean {
  return request.url.startsWith('/v1/');
}

function toOpenAiError(error: AppError): OpenAiErrorDto {
  const { type, code } = errorCatalogue[error.code].openAi;
  return { error: { message: error.message, type, param: error.fields[0]?.field ?? null, code } };
}

function toProblem(error: AppError, requestId: string): ProblemDto {
  return {
    type: `urn:keycard:error:${error.code}`,
    title: errorCatalogue[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.fields.length > 0 && { errors: error.fields }),
  };
}
