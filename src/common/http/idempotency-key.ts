import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../errors/app-error.js';

const headerName = 'Idempotency-Key';
const maxLength = 255;
/** Visible ASCII. Node joins repeated headers with a comma and a space, so they don't match. */
const pattern = /^[!-~]{1,255}$/;

const ReadIdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined => {
  const value = context.switchToHttp().getRequest<FastifyRequest>().headers[headerName.toLowerCase()];
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return value;
  throw invalidField(
    headerName,
    `${headerName} must be sent once and have 1 to ${maxLength} visible ASCII characters.`,
  );
});

/** Parameter decorator: the `Idempotency-Key` header, or undefined. Documents the header. */
export function IdempotencyKeyHeader(): ParameterDecorator {
  const document = applyDecorators(
    ApiHeader({
      name: headerName,
      required: false,
      description:
        'Your unique name for this request, such as a UUID. For 24 hours, a repeat changes nothing and returns 409 with `apiKeyId`.',
      schema: { type: 'string', minLength: 1, maxLength, pattern: pattern.source },
    }),
  );
  return (target, method, index) => {
    ReadIdempotencyKey()(target, method, index);
    if (method !== undefined) document(target, method, Object.getOwnPropertyDescriptor(target, method));
  };
}
