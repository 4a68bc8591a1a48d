import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiTooManyRequestsResponse } from '@nestjs/swagger';
import { problemContent } from '../common/errors/api-errors.js';
import { retryAfterHeader } from '../common/http/api-headers.js';

export const limitCreationMetadata = 'keycard:limit-creation';

/** Limits the requests of a route that creates something, per user and per organization. */
export const LimitCreation = () =>
  applyDecorators(
    SetMetadata(limitCreationMetadata, true),
    ApiTooManyRequestsResponse({
      ...problemContent,
      headers: retryAfterHeader,
      description: 'You or your organization created too much in a short time; see `Retry-After`.',
    }),
  );
