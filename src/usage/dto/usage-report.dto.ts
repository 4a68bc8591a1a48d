import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type Interval, intervals, largestPointCount } from '../usage-period.js';
import { type Grouping, groupings } from './usage-query.dto.js';

@ApiSchema({ name: 'UsageTotals', description: 'What was used, summed up.' })
export class UsageTotalsDto {
  @ApiProperty({ type: 'integer', description: 'Requests, failed ones included.', example: 1200, minimum: 0 })
  requests: number;

  @ApiProperty({
    type: 'integer',
    description: 'Requests that were answered with a status of 400 or more, or not to the end.',
    example: 3,
    minimum: 0,
  })
  failures: number;

  @ApiProperty({ type: 'integer', description: 'Tokens of the input.', example: 48_000, minimum: 0 })
  inputTokens: number;

  @ApiProperty({ type: 'integer', description: 'Pages of documents that were read.', example: 0, minimum: 0 })
  pages: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'How long a request took on average; null where there was none.',
    example: 12.345,
    minimum: 0,
  })
  meanMilliseconds: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'How long 95 % of the requests took at most, within 9.1 %; null where there was none.',
    example: 30.443,
    minimum: 0,
  })
  p95Milliseconds: number | null;
}

@ApiSchema({ name: 'UsagePoint', description: 'What was used in one interval.' })
export class UsagePointDto extends UsageTotalsDto {
  @ApiProperty({
    description: 'When the interval begins (ISO 8601, UTC).',
    example: '2026-01-31T00:00:00.000Z',
    format: 'date-time',
  })
  start: string;
}

@ApiSchema({ name: 'UsageApiKey', description: 'A key that has been used.' })
export class UsageApiKeyDto {
  @ApiProperty({
    description: 'Identifier of the key.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  id: string;

  @ApiProperty({ description: 'Descriptive name.', example: 'Search indexer', minLength: 2, maxLength: 100 })
  name: string;

  @ApiProperty({
    description: 'The first characters of the key.',
    example: 'kc_4fT9q',
    pattern: '^kc_[0-9A-Za-z]{0,5}$',
  })
  hint: string;

  @ApiProperty({ description: 'Whether the key is deleted by now.', example: false })
  isDeleted: boolean;
}

@ApiSchema({ name: 'UsageSeries', description: 'What was used, in the whole period and in each interval.' })
export class UsageSeriesDto {
  @ApiProperty({ description: 'What was used in the whole period.' })
  totals: UsageTotalsDto;

  @ApiProperty({
    type: [UsagePointDto],
    description: 'Each interval of the period, in order and without gaps; empty with `interval=none`.',
    minItems: 0,
    maxItems: largestPointCount,
  })
  points: UsagePointDto[];
}

@ApiSchema({ name: 'UsageGroup', description: 'What was used by one key, of one model, or in all.' })
export class UsageGroupDto extends UsageSeriesDto {
  @ApiPropertyOptional({ description: 'The key; with `groupBy=apiKey` only.' })
  apiKey?: UsageApiKeyDto;

  @ApiPropertyOptional({
    description: 'Id of the model; with `groupBy=model` only.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
  })
  model?: string;
}

@ApiSchema({ name: 'UsageOthers', description: 'What all groups beyond `limit` have used together.' })
export class UsageOthersDto extends UsageSeriesDto {
  @ApiProperty({ type: 'integer', description: 'How many groups they are.', example: 7, minimum: 1 })
  groupCount: number;
}

@ApiSchema({ name: 'UsageReport', description: 'What an organization has used in a period.' })
export class UsageReportDto {
  @ApiProperty({
    description: 'Beginning of the period (inclusive).',
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

  @ApiProperty({ description: 'What each point stands for.', enum: intervals, example: 'day' })
  interval: Interval;

  @ApiProperty({ description: 'Where days begin at midnight.', example: 'Europe/Berlin', minLength: 1 })
  timeZone: string;

  @ApiProperty({ description: 'What each group stands for.', enum: groupings, example: 'apiKey' })
  groupBy: Grouping;

  @ApiProperty({
    type: [UsageGroupDto],
    description:
      'The groups, that with the most requests first; one that has used nothing is left out, but for the one group of `groupBy=none`.',
    minItems: 0,
    maxItems: largestPointCount,
  })
  groups: UsageGroupDto[];

  @ApiPropertyOptional({ description: 'The groups beyond `limit`; left out when there are none.' })
  others?: UsageOthersDto;
}
