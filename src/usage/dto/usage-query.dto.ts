import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsTimeZone, IsUUID } from 'class-validator';
import { HasCodePoints, IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { QueryInstant } from '../../common/validation/instant.js';
import { QueryInteger } from '../../common/validation/paging.dto.js';
import { type Interval, intervals } from '../usage-period.js';

export const groupings = ['apiKey', 'model', 'none'] as const;
export type Grouping = (typeof groupings)[number];

const maxGroups = 100;
const formats = ['json', 'csv'] as const;

export class UsageQueryDto {
  @QueryInstant({
    description:
      'Start of the period (inclusive), rounded down to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: 24 hours before `to`.',
    example: '2026-01-30T00:00:00Z',
  })
  from?: Date;

  @QueryInstant({
    description:
      'End of the period (exclusive), rounded up to the UTC hour, or with `interval=day` to the day in `timeZone`. Default: now.',
    example: '2026-02-01T00:00:00Z',
  })
  to?: Date;

  @ApiPropertyOptional({
    description: 'Length of the interval of each point. `none` returns totals only.',
    enum: intervals,
    default: 'day',
    example: 'day',
  })
  @IsOneOf(intervals)
  interval: Interval = 'day';

  @ApiPropertyOptional({
    type: 'string',
    description: 'IANA time zone that defines days. Only used with `interval=day`.',
    default: 'UTC',
    example: 'Europe/Berlin',
    minLength: 1,
  })
  @IsTimeZone({ message: '$property must be an IANA time zone, such as Europe/Berlin' })
  timeZone = 'UTC';

  @ApiPropertyOptional({
    description: 'How to group usage. `none` returns a single group.',
    enum: groupings,
    default: 'none',
    example: 'apiKey',
  })
  @IsOneOf(groupings)
  groupBy: Grouping = 'none';

  @QueryInteger({
    minimum: 1,
    maximum: maxGroups,
    example: 5,
    description:
      'Maximum number of groups, by number of requests. `others` sums up the remaining ones. Default: no limit.',
  })
  @OptionalField()
  limit?: number;

  @ApiPropertyOptional({
    description: 'Only usage of the API key with this id, including deleted keys.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID('all', { message: '$property must be the id of an API key, a UUID' })
  apiKeyId?: string;

  @ApiPropertyOptional({
    description: 'Only usage of the model with this id.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
    maxLength: 200,
  })
  @OptionalField()
  @HasCodePoints(1, 200)
  model?: string;

  @ApiPropertyOptional({
    description: '`json` returns a report, `csv` a file with its points, or with its totals if `interval=none`.',
    enum: formats,
    default: 'json',
    example: 'json',
  })
  @IsOneOf(formats)
  format: (typeof formats)[number] = 'json';
}
