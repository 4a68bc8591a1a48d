import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { decimalPattern } from '../../common/money/decimal.js';

/** UTC days, of which the last is today. */
export const recentDays = 7;

@ApiSchema({ name: 'ApiKeyRecentUsage', description: 'Usage of an API key today and on the six UTC days before.' })
export class RecentUsageDto {
  @ApiProperty({
    type: 'integer',
    description: 'Number of requests, including failed ones.',
    example: 1260,
    minimum: 0,
  })
  requests: number;

  @ApiProperty({ type: 'integer', description: 'Number of failed requests.', example: 3, minimum: 0 })
  failures: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cost in `currency`, an exact decimal; null if no request had a price.',
    example: '0.000012',
    pattern: decimalPattern,
  })
  cost: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    description: 'Number of requests on each UTC day, today last.',
    example: [120, 180, 240, 0, 0, 300, 420],
    minItems: recentDays,
    maxItems: recentDays,
  })
  requestsByDay: number[];
}
