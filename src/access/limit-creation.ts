import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiTooManyRequestsResponse } from '@nestjs/swagger';
import { problemContent } from '../common/errors/api-errors.js';
import { retryAfterHeader } from '../common/http/api-headers.js';

export const limitCreationMetadata = 'keycard:limit-creation';

/** Limits requests to a route that creates something, for each user and organization. */
export const LimitCreation = () =>
  applyDecorators(
    SetMetadata(limitCreationMetadata, true),
    ApiTooManyRequestsResponse({
      ...problemContent,
      headers: retryAfterHeader,
      description: 'You or your organization sent too many of these requests; see `Retry-After`.',
    }),
  );
