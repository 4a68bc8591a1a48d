import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty } from '../../common/http/api-resource.js';
import { decimalPattern } from '../../common/money/decimal.js';
import { type MeterName, meters } from '../../common/rules/meters.js';
import { maxTagLength } from '../../common/rules/tag-rules.js';
import { type Interval, intervalEnum, maxPoints } from '../usage-period.js';
import { type Grouping, groupingEnum } from './usage-query.dto.js';

const creatorKinds = ['member', 'former-member', 'service-account', 'unknown'] as const;

const percentileProperty = (name: string, example: number) =>
  ({
    type: Number,
    nullable: true,
    description: `${name} of the duration of requests, rounded up by at most 19%; null if there were none.`,
    example,
    minimum: 0,
  }) as const;

/** A property per meter. */
export const MeteredUsage = class {} as new () => Record<MeterName, number>;
for (const { name, description, example } of meters) {
  ApiProperty({ type: 'integer', description, example, minimum: 0 })(MeteredUsage.prototype as object, name);
}

@ApiSchema({ name: 'UsageTotals', description: 'Usage totals.' })
export class UsageTotalsDto extends MeteredUsage {
  @ApiProperty({
    type: 'integer',
    description: 'Number of requests, including failed ones.',
    example: 1200,
    minimum: 0,
  })
  requests: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of requests whose response had a status of 400 or higher, or was incomplete.',
    example: 3,
    minimum: 0,
  })
  failures: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of requests rejected by a limit, which count neither as requests nor as failures.',
    example: 12,
    minimum: 0,
  })
  limited: number;

  @ApiProperty(percentileProperty('Median', 10.767))
  medianMilliseconds: number | null;

  @ApiProperty(percentileProperty('95th percentile', 30.443))
  p95Milliseconds: number | null;

  @ApiProperty(percentileProperty('99th percentile', 43.054))
  p99Milliseconds: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Mean time from the arrival of a streamed request for generated text to its first token; null if there were none.',
    example: 412.5,
    minimum: 0,
  })
  firstTokenMilliseconds: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Cost in `currency`, at the prices when the requests were made and without `unpricedRequests`. An exact decimal with up to nine decimals; null if no request had a price.',
    example: '0.000012',
    pattern: decimalPattern,
  })
  cost: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Number of requests to models that had no price then, which `cost` leaves out.',
    example: 0,
    minimum: 0,
  })
  unpricedRequests: number;
}

@ApiSchema({ name: 'UsagePoint', description: 'Usage in one interval.' })
class UsagePointDto extends UsageTotalsDto {
  @ApiProperty({
    description: 'Start of the interval (ISO 8601, UTC).',
    example: '2026-01-31T00:00:00.000Z',
    format: 'date-time',
  })
  start: string;
}

@ApiSchema({ name: 'UsageApiKey', description: 'An API key with usage.' })
export class UsageApiKeyDto {
  @ApiProperty(idProperty('API key'))
  id: string;

  @ApiProperty({ description: 'Name of the API key.', example: 'Search indexer', minLength: 2, maxLength: 100 })
  name: string;

  @ApiProperty({
    description: 'First characters of the key.',
    example: 'kc_4fT9q',
    pattern: '^kc_[0-9A-Za-z]{0,5}$',
  })
  hint: string;

  @ApiProperty({ description: 'Whether the key has been deleted.', example: false })
  isDeleted: boolean;
}

@ApiSchema({ name: 'UsageCreator', description: 'The user or service account that created API keys.' })
export class UsageCreatorDto {
  @ApiProperty(idProperty('user or service account'))
  id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Name; null if the account is deleted, or if your role has neither `get-api-keys` nor, for users, `get-members` or, for service accounts, `get-service-accounts`.',
    example: 'Ada Lovelace',
    minLength: 1,
  })
  name: string | null;

  @ApiProperty({
    description: 'What it is: a member, a former member or a service account; `unknown` if it is deleted.',
    enum: creatorKinds,
    example: 'member',
  })
  kind: (typeof creatorKinds)[number];
}

@ApiSchema({ name: 'UsageSeries', description: 'Usage in the period and in each interval.' })
export class UsageSeriesDto {
  @ApiProperty({ description: 'Usage in the period.' })
  totals: UsageTotalsDto;

  @ApiProperty({
    type: [UsagePointDto],
    description: 'Intervals of the period, in order and without gaps. Empty with `interval=none`.',
    minItems: 0,
    maxItems: maxPoints,
  })
  points: UsagePointDto[];

  @ApiPropertyOptional({ description: 'Usage in the period to compare with. Only with `compareFrom`.' })
  previousTotals?: UsageTotalsDto;
}

@ApiSchema({
  name: 'UsageGroup',
  description: 'Usage of one API key, of one model, of one tag, of one creator, or of everything.',
})
export class UsageGroupDto extends UsageSeriesDto {
  @ApiPropertyOptional({ description: 'The API key. Only with `groupBy=apiKey`.' })
  apiKey?: UsageApiKeyDto;

  @ApiPropertyOptional({
    description:
      'Id of the model, or name of the service. Only with `groupBy=model`. Absent for requests that a limit rejected before their model was known.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
  })
  model?: string;

  @ApiPropertyOptional({
    description:
      'Tag of the API keys. Only with `groupBy=tag`. Absent for keys without tags or, with `tagPrefix`, without such a tag.',
    example: 'production',
    minLength: 1,
    maxLength: maxTagLength,
  })
  tag?: string;

  @ApiPropertyOptional({
    description: 'Creator of the API keys. Only with `groupBy=creator`. Absent for keys whose creator is unknown.',
  })
  creator?: UsageCreatorDto;

  @ApiPropertyOptional({
    description:
      'Start of the first day in `timeZone` with usage of the group, if that began within the period to compare with, so that `previousTotals` are those of a part of it. Only with `compareFrom`; with `groupBy=none`, the report has it.',
    example: '2026-01-29T00:00:00.000Z',
    format: 'date-time',
  })
  comparedUsageFrom?: string;

  @ApiPropertyOptional({
    description: 'The same for costs of the group, which may have begun later, with the first price.',
    example: '2026-01-29T00:00:00.000Z',
    format: 'date-time',
  })
  comparedCostFrom?: string;
}

@ApiSchema({
  name: 'UsageOthers',
  description: 'Combined usage of the groups on other pages. With `groupBy=tag`, each request counts once.',
})
export class UsageOthersDto extends UsageSeriesDto {
  @ApiProperty({ type: 'integer', description: 'Number of groups on other pages.', example: 7, minimum: 1 })
  groupCount: number;
}

@ApiSchema({ name: 'UsageReport', description: 'Usage of an organization in a period.' })
export class UsageReportDto {
  @ApiProperty({
    description: 'Start of the period (inclusive).',
    example: '2026-01-30T00:00:00.000Z',
    format: 'date-time',
  })
  from: string;

  @ApiProperty({
    description: 'End of the period (exclusive).',
    example: '2026-02-01T00:00:00.000Z',
    format: 'date-time',
  })
  to: string;

  @ApiPropertyOptional({
    description: 'Start of the period to compare with (inclusive). Only with `compareFrom`.',
    example: '2026-01-28T00:00:00.000Z',
    format: 'date-time',
  })
  comparedFrom?: string;

  @ApiPropertyOptional({
    description: 'End of the period to compare with (exclusive). Only with `compareFrom`.',
    example: '2026-01-30T00:00:00.000Z',
    format: 'date-time',
  })
  comparedTo?: string;

  @ApiPropertyOptional({
    description:
      'Start of the first day in `timeZone` with usage, if usage began within the period to compare with, whose totals are then those of a part of it. Only with `compareFrom` and `groupBy=none`.',
    example: '2026-01-29T00:00:00.000Z',
    format: 'date-time',
  })
  comparedUsageFrom?: string;

  @ApiPropertyOptional({
    description: 'The same for costs, which may have begun later, with the first price.',
    example: '2026-01-29T00:00:00.000Z',
    format: 'date-time',
  })
  comparedCostFrom?: string;

  @ApiProperty({
    description:
      'Usage before this time is kept by UTC day. Days in another `timeZone` then count the usage of the UTC day with the same date.',
    example: '2025-12-28T00:00:00.000Z',
    format: 'date-time',
  })
  hourlyFrom: string;

  @ApiProperty({
    description: 'Usage before this time is deleted.',
    example: '2024-12-28T00:00:00.000Z',
    format: 'date-time',
  })
  keptFrom: string;

  @ApiProperty({ description: 'Length of the interval of each point.', ...intervalEnum, example: 'day' })
  interval: Interval;

  @ApiProperty({ description: 'Time zone that defines days.', example: 'Europe/Berlin', minLength: 1 })
  timeZone: string;

  @ApiProperty({ description: 'How usage is grouped.', ...groupingEnum, example: 'apiKey' })
  groupBy: Grouping;

  @ApiProperty({ description: 'Currency of costs (ISO 4217).', example: 'USD', pattern: '^[A-Z]{3}$' })
  currency: string;

  @ApiProperty({
    type: [UsageGroupDto],
    description:
      'Groups, in the order of `orderBy`: by number of requests by default, highest first. Groups without usage are omitted, except with `groupBy=none`. With `compareFrom`, groups with usage in either period are included.',
    minItems: 0,
    maxItems: maxPoints,
  })
  groups: UsageGroupDto[];

  @ApiPropertyOptional({ description: 'The groups on other pages; absent if there are no other pages.' })
  others?: UsageOthersDto;
}
