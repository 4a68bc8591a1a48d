import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsTimeZone, IsUUID } from 'class-validator';
import { HasCodePoints } from '../../common/validation/field-decorators.js';
import { QueryInstant } from '../../common/validation/instant.js';
import { QueryInteger } from '../../common/validation/paging.dto.js';
import { type Interval, intervals } from '../usage-period.js';

export const groupings = ['apiKey', 'model', 'none'] as const;
export type Grouping = (typeof groupings)[number];

const largestGroupLimit = 100;
const formats = ['json', 'csv'] as const;

export class UsageQueryDto {
  @QueryInstant({
    description:
      'Beginning of the period (inclusive), taken back to the beginning of its UTC hour, or with `interval=day` of its day in `timeZone`; default: 24 hours before `to`.',
    example: '2026-01-30T00:00:00Z',
  })
  from?: Date;

  @QueryInstant({
    description:
      'End of the period (exclusive), carried on to the end of its UTC hour, or with `interval=day` of its day in `timeZone`; default: now.',
    example: '2026-02-01T00:00:00Z',
  })
  to?: Date;

  @ApiPropertyOptional({
    description: 'What each point of a group stands for; `none`: totals only.',
    enum: intervals,
    default: 'day',
    example: 'day',
  })
  @IsIn(intervals, { message: `$property must be one of ${intervals.join(', ')}` })
  interval: Interval = 'day';

  @ApiPropertyOptional({
    type: 'string',
    description: 'Where days begin at midnight: the IANA name of a time zone. For `interval=day` only.',
    default: 'UTC',
    example: 'Europe/Berlin',
    minLength: 1,
  })
  @IsTimeZone({ message: '$property must be the IANA name of a time zone, such as Europe/Berlin' })
  timeZone = 'UTC';

  @ApiPropertyOptional({
    description: 'What each group stands for; `none`: one group of everything.',
    enum: groupings,
    default: 'none',
    example: 'apiKey',
  })
  @IsIn(groupings, { message: `$property must be one of ${groupings.join(', ')}` })
  groupBy: Grouping = 'none';

  @QueryInteger({
    minimum: 1,
    maximum: largestGroupLimit,
    example: 5,
    description: 'So many groups, those with the most requests; `others` sums up the rest. Default: all groups.',
  })
  @IsOptional()
  limit?: number;

  @ApiPropertyOptional({
    description: 'Only the usage of this key, which may be deleted by now.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be the id of a key, a UUID' })
  apiKeyId?: string;

  @ApiPropertyOptional({
    description: 'Only the usage of the model with this id.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
    maxLength: 200,
  })
  @IsOptional()
  @HasCodePoints(1, 200)
  model?: string;

  @ApiPropertyOptional({
    description: '`json`: a report. `csv`: its points, or totals with `interval=none`, as a file.',
    enum: formats,
    default: 'json',
    example: 'json',
  })
  @IsIn(formats, { message: `$property must be one of ${formats.join(', ')}` })
  format: (typeof formats)[number] = 'json';
}
