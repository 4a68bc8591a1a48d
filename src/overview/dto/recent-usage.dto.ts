import { ApiProperty, ApiPropertyOptional, ApiSchema, PickType } from '@nestjs/swagger';
import { UsageTotalsDto } from '../../usage/dto/usage-report.dto.js';

/** The fields of usage that an overview has. */
const shownUsage = [
  'requests',
  'failures',
  'inputTokens',
  'outputTokens',
  'cost',
  'unpricedRequests',
] as const satisfies (keyof UsageTotalsDto)[];

@ApiSchema({ name: 'UsageSums', description: 'Usage, summed up.' })
export class UsageSumsDto extends PickType(UsageTotalsDto, shownUsage) {}

@ApiSchema({
  name: 'PreviousMonthUsage',
  description: 'Usage in the part of the previous month that the current one is compared with.',
})
export class PreviousMonthDto {
  @ApiProperty({
    description: "Start of the previous month, in the organization's time zone (inclusive).",
    example: '2025-12-01T00:00:00.000Z',
    format: 'date-time',
  })
  from: string;

  @ApiProperty({
    description:
      'End of the part (exclusive): the same minute as now, extended to a whole UTC hour, or the end of a shorter month.',
    example: '2025-12-31T10:00:00.000Z',
    format: 'date-time',
  })
  to: string;

  @ApiProperty({ description: 'Usage in this part.' })
  totals: UsageSumsDto;

  @ApiPropertyOptional({
    description:
      'Start of the first day with usage, if usage began within this part, whose totals are then those of fewer days.',
    example: '2025-12-28T00:00:00.000Z',
    format: 'date-time',
  })
  usageFrom?: string;

  @ApiPropertyOptional({
    description: 'The same for costs, which may have begun later, with the first price.',
    example: '2025-12-28T00:00:00.000Z',
    format: 'date-time',
  })
  costFrom?: string;
}

@ApiSchema({ name: 'RecentUsagePoint', description: 'Usage in one hour or day.' })
class RecentUsagePointDto extends UsageSumsDto {
  @ApiProperty({
    description: 'Start of the hour or day (ISO 8601, UTC).',
    example: '2026-01-31T00:00:00.000Z',
    format: 'date-time',
  })
  start: string;
}

@ApiSchema({ name: 'RecentUsage', description: 'Usage in the current day or month.' })
export class RecentUsageDto {
  @ApiProperty({
    description: "Start of the period, in the organization's time zone (inclusive).",
    example: '2026-01-31T00:00:00.000Z',
    format: 'date-time',
  })
  from: string;

  @ApiProperty({
    description: 'End of the period (exclusive).',
    example: '2026-02-01T00:00:00.000Z',
    format: 'date-time',
  })
  to: string;

  @ApiProperty({ description: 'Usage so far.' })
  totals: UsageSumsDto;

  @ApiProperty({
    type: [RecentUsagePointDto],
    description: 'Hours or days up to now, in order and without gaps.',
    minItems: 1,
    maxItems: 31,
  })
  points: RecentUsagePointDto[];
}
