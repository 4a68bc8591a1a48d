import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy, ValidateNested } from 'class-validator';
import { timeProperty } from '../../common/http/api-resource.js';
import { maxLimit, type Metric, metrics, type Period, periods, periodsOf } from '../../common/rules/limit-rules.js';
import { IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { compareLimits, type Limit } from '../limit.js';

/** One for each allowed metric and period. */
const maxLimits = metrics.flatMap((metric) => periodsOf(metric)).length;
const maxMessage = `$property must be an integer between 1 and ${maxLimit}`;

@ApiSchema({ name: 'Limit', description: 'How much an API key, or all keys of an organization together, may use.' })
export class LimitDto implements Limit {
  @ApiProperty({
    description: 'What is limited: requests, tokens or document pages.',
    enum: metrics,
    example: 'requests',
  })
  @IsOneOf(metrics)
  metric: Metric;

  @ApiProperty({
    description:
      'Period. With `second`, `minute` and `hour`, the limit refills continuously; with `day` and `month`, it is a budget for each calendar day or month in UTC. `second` is only for requests.',
    enum: periods,
    example: 'minute',
  })
  @IsPeriod()
  per: Period;

  @ApiProperty({
    type: 'integer',
    description: 'Maximum in one period.',
    example: 600,
    minimum: 1,
    maximum: maxLimit,
  })
  @IsInt({ message: maxMessage })
  @Min(1, { message: maxMessage })
  @Max(maxLimit, { message: maxMessage })
  max: number;
}

@ApiSchema({ name: 'LimitState', description: 'A limit and its current state.' })
export class LimitStateDto extends LimitDto {
  @ApiProperty({
    type: 'integer',
    description: 'Amount used, including reservations of running requests. Can exceed `max`.',
    example: 120,
    minimum: 0,
  })
  used: number;

  @ApiProperty({
    type: 'integer',
    description: 'Part of `used` that running requests reserve. They return what they turn out not to need.',
    example: 0,
    minimum: 0,
  })
  reserved: number;

  @ApiProperty({
    type: 'integer',
    description: 'Part of `used` that was charged as reserved, because the upstream never reported the usage.',
    example: 0,
    minimum: 0,
  })
  estimated: number;

  @ApiProperty({ type: 'integer', description: 'Amount left.', example: 480, minimum: 0, maximum: maxLimit })
  remaining: number;

  @ApiProperty(timeProperty("When the limit is fully available again, if it isn't used until then"))
  resetsAt: string;
}

/** The limits in a response, with their state. */
export const LimitStatesField = () =>
  ApiProperty({
    type: [LimitStateDto],
    description: 'Limits, sorted by metric and period. Empty without limits.',
    maxItems: maxLimits,
  });

/**
 * The limits in a request. Changes apply to the next request on every replica.
 *
 * @param description OpenAPI text: what the limits apply to
 */
export const LimitsField = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({
      type: [LimitDto],
      description: `${description} At most one per metric and period. An empty list removes all limits.`,
      maxItems: maxLimits,
    }),
    OptionalField(),
    Type(() => LimitDto),
    ValidateNested({ each: true }),
    IsListOfLimits(),
    HasNoRepeatedLimit(),
  );

function IsPeriod(): PropertyDecorator {
  return ValidateBy({
    name: 'isPeriod',
    validator: {
      validate: (value: unknown, details) => {
        return allowedPeriods(details?.object as LimitDto).some((period) => period === value);
      },
      defaultMessage: (details) => {
        const limit = details?.object as LimitDto;
        const allowed = allowedPeriods(limit);
        const suffix = allowed === periods ? '' : ` for ${limit.metric}`;
        return `${details?.property} must be one of ${allowed.join(', ')}${suffix}`;
      },
    },
  });
}

/** All periods for an invalid metric, which is an error of its own. */
function allowedPeriods({ metric }: LimitDto): readonly Period[] {
  return metrics.includes(metric) ? periodsOf(metric) : periods;
}

function IsListOfLimits(): PropertyDecorator {
  return ValidateBy({
    name: 'isListOfLimits',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every((item) => item instanceof LimitDto),
      defaultMessage: (details) => `${details?.property} must be a list of objects with metric, per and max`,
    },
  });
}

function HasNoRepeatedLimit(): PropertyDecorator {
  return ValidateBy({
    name: 'hasNoRepeatedLimit',
    validator: {
      validate: (value: unknown) => findRepeatedLimit(value) === undefined,
      defaultMessage: (details) => {
        const repeated = findRepeatedLimit(details?.value);
        return `${details?.property} must have at most one limit of ${repeated?.metric} per ${repeated?.per}`;
      },
    },
  });
}

/** The first valid limit with the metric and period of an earlier one. */
function findRepeatedLimit(value: unknown): LimitDto | undefined {
  const items: unknown[] = Array.isArray(value) ? value : [];
  const limits = items
    .filter((item) => item instanceof LimitDto)
    .filter((limit) => allowedPeriods(limit).includes(limit.per));
  return limits.find((limit, index) => limits.findIndex((other) => compareLimits(limit, other) === 0) < index);
}
