import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { HasCodePoints } from '../../common/validation/has-code-points.js';
import { QueryInstant } from '../../common/validation/instant.js';
import { type Interval, intervals } from '../usage-period.js';

export const groupings = ['apiKey', 'model', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export class UsageQueryDto {
  @QueryInstant({
    description:
      'Beginning of the period (inclusive), taken back to the beginning of its UTC hour, or day for `interval=day`; default: 24 hours before `to`.',
    example: '2026-01-30T00:00:00Z',
  })
  from?: Date;

  @QueryInstant({
    description:
      'End of the period (exclusive), carried on to the end of its UTC hour, or day for `interval=day`; default: now.',
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
    description: 'What each group stands for; `none`: one group of everything.',
    enum: groupings,
    default: 'none',
    example: 'apiKey',
  })
  @IsIn(groupings, { message: `$property must be one of ${groupings.join(', ')}` })
  groupBy: Grouping = 'none';

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
}
