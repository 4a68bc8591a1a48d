import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { maxRequestIdLength } from '../../common/rules/text-rules.js';
import { HasCodePoints } from '../../common/validation/field-decorators.js';
import { UsageApiKeyDto } from '../dto/usage-report.dto.js';
import { FailedRequestDto } from '../failures/failure.dto.js';
import { maxFailuresPerKey } from '../failures/failure-queries.js';
import { KeyRequestDto } from './key-request.dto.js';
import { maxKeysOfRequest } from './request-queries.js';

/** How many requests of a key a search returns. */
export const maxFoundRequests = 100;

export class FindRequestsQueryDto {
  @ApiProperty({
    description: 'ID of the request, exactly as in the `x-request-id` response header.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    minLength: 1,
    maxLength: maxRequestIdLength,
  })
  @HasCodePoints(1, maxRequestIdLength)
  requestId: string;
}

@ApiSchema({ name: 'ApiKeyOfRequest', description: 'An API key that has requests with an ID.' })
export class KeyOfRequestDto extends PickType(UsageApiKeyDto, ['id', 'name', 'hint']) {
  @ApiProperty({
    type: [KeyRequestDto],
    description: 'Those among its latest requests, as in `GET /api-keys/{id}/requests`, newest first.',
    maxItems: maxFoundRequests,
  })
  requests: KeyRequestDto[];

  @ApiProperty({
    type: [FailedRequestDto],
    description: 'Those among its failed requests, with causes, as in `GET /api-keys/{id}/failures`, newest first.',
    maxItems: maxFailuresPerKey,
  })
  failures: FailedRequestDto[];
}

@ApiSchema({ name: 'FoundRequests', description: 'The API keys that have requests with an ID.' })
export class FoundRequestsDto {
  @ApiProperty({
    type: [KeyOfRequestDto],
    description: 'Those with the latest requests first; empty if no request with this ID is kept.',
    maxItems: maxKeysOfRequest,
  })
  apiKeys: KeyOfRequestDto[];
}
