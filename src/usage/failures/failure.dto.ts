import { ApiProperty, ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import { ShownLimitDto } from '../../limits/dto/limit.dto.js';
import { usedProperty } from '../../limits/dto/limit-properties.js';
import { type LimitOwner, limitOwners } from '../../limits/limit.js';
import { maxModelIdLength } from '../../common/rules/text-rules.js';
import { RequestDto, statusProperty } from '../dto/request.dto.js';
import { UsageFilterDto } from '../dto/usage-query.dto.js';
import { UsageApiKeyDto, UsageReportDto } from '../dto/usage-report.dto.js';
import { maxInvalidFields } from './failure.js';
import { maxFailuresPerKey, maxKeysPerFailure } from './failure-queries.js';

export class FailuresQueryDto extends PickType(UsageFilterDto, [
  'from',
  'to',
  'apiKeyId',
  'creatorId',
  'model',
  'tag',
]) {}

class FailureDto {
  @ApiProperty({ ...statusProperty, example: 403 })
  status: number;

  @ApiProperty({
    description:
      'Error code, as in the list of errors. `response-incomplete` if the response broke off or the client disconnected.',
    example: 'model-not-allowed',
    minLength: 1,
  })
  code: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      '`error.code` in the response that the client received; null if the error has none, or the response broke off.',
    example: 'model_not_allowed',
    minLength: 1,
  })
  clientCode: string | null;

  @ApiProperty({ description: 'Summary of the code.', example: 'Model not allowed', minLength: 1 })
  title: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What to do about it, as in the list of errors, or for the state of the key; null for codes of other releases.',
    example: 'Choose a model listed by `GET /v1/models`, or add the model to the key.',
    minLength: 1,
  })
  remedy: string | null;
}

@ApiSchema({ name: 'ExceededLimit', description: 'A limit that rejected a request.' })
export class ExceededLimitDto extends PickType(ShownLimitDto, ['metric', 'per', 'max', 'models']) {
  @ApiProperty({
    description: 'What the limit applies to: the key, or all keys of the organization together.',
    enum: limitOwners,
    example: 'api-key',
  })
  owner: LimitOwner;

  @ApiProperty(usedProperty('What the request needed. If it is more than `max`, the request never fits.', 1))
  needed: number | string;
}

@ApiSchema({ name: 'FailedRequest', description: 'A failed request, without its body.' })
export class FailedRequestDto extends IntersectionType(FailureDto, RequestDto) {
  @ApiProperty(timeProperty('When it failed'))
  occurredAt: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Model or service that the client named, even if it is unknown; null if the request failed before it was read. Invisible characters are replaced, and long names and API keys shortened.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
    maxLength: maxModelIdLength,
  })
  requestedModel: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: maxModelIdLength },
    description:
      'Fields that the error is about, such as `input`, without their values. Invisible characters are replaced, and long names and API keys shortened.',
    example: [],
    minItems: 0,
    maxItems: maxInvalidFields,
  })
  invalidFields: string[];

  @ApiProperty({
    type: ExceededLimitDto,
    nullable: true,
    description: 'The limit that rejected the request, as it was then; null for other failures.',
    example: null,
  })
  exceededLimit: ExceededLimitDto | null;
}

@ApiSchema({ name: 'FailedRequestList', description: 'The latest failed requests of an API key.' })
export class FailedRequestListDto {
  @ApiProperty({
    type: [FailedRequestDto],
    description: 'Newest first.',
    minItems: 0,
    maxItems: maxFailuresPerKey,
  })
  failures: FailedRequestDto[];
}

@ApiSchema({ name: 'FailureKey', description: 'An API key with failed requests.' })
class FailureKeyDto extends UsageApiKeyDto {
  @ApiProperty({ type: 'integer', description: 'Number of requests.', example: 12, minimum: 1 })
  requests: number;
}

@ApiSchema({ name: 'FailureCount', description: 'Number of failed requests with a status and code.' })
export class FailureCountDto extends FailureDto {
  @ApiProperty({ type: 'integer', description: 'Number of requests.', example: 12, minimum: 1 })
  requests: number;

  @ApiProperty({
    type: [FailureKeyDto],
    description: 'API keys with the most of these requests, highest first.',
    minItems: 1,
    maxItems: maxKeysPerFailure,
  })
  apiKeys: FailureKeyDto[];

  @ApiProperty({ type: 'integer', description: 'Number of API keys with such requests.', example: 1, minimum: 1 })
  apiKeyCount: number;
}

@ApiSchema({
  name: 'FailureReport',
  description: 'Failed requests of an organization in a period, by status and code.',
})
export class FailureReportDto extends PickType(UsageReportDto, ['from', 'to']) {
  @ApiProperty({ type: [FailureCountDto], description: 'Counts, highest first.', minItems: 0 })
  failures: FailureCountDto[];
}
