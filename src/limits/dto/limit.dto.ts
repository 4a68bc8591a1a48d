import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { timeProperty } from '../../common/http/api-resource.js';
import { maxLimits, type Metric, metrics, type Period } from '../../common/rules/limit-rules.js';
import { IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { increaseType, LimitIncreaseDto } from './limit-increase.dto.js';
import { limitProperties, usedProperty } from './limit-properties.js';
import {
  HasNoRepeatedLimit,
  IsAmountOfMetric,
  IsIncrease,
  IsListOfLimits,
  IsListOfModels,
  IsListOfPercentages,
  IsPeriodOfMetric,
} from './limit-validation.js';

@ApiSchema({ name: 'Limit', description: 'How much an API key, or all keys of an organization together, may use.' })
export class LimitDto {
  @ApiProperty(limitProperties.metric)
  @IsOneOf(metrics)
  metric: Metric;

  @ApiPropertyOptional(limitProperties.per)
  @IsPeriodOfMetric()
  per?: Period;

  @ApiProperty(limitProperties.max)
  @IsAmountOfMetric()
  max: number | string;

  @ApiPropertyOptional({ ...limitProperties.models, nullable: true })
  @OptionalField({ nullable: true })
  @IsListOfModels()
  models?: string[] | null;

  @ApiPropertyOptional({ ...limitProperties.increase, type: LimitIncreaseDto, nullable: true })
  @OptionalField({ nullable: true })
  @Type(increaseType)
  @ValidateNested()
  @IsIncrease()
  increase?: LimitIncreaseDto | null;

  @ApiPropertyOptional({ ...limitProperties.notifyAt, nullable: true })
  @OptionalField({ nullable: true })
  @IsListOfPercentages()
  notifyAt?: number[] | null;
}

/** Fields that aren't set are missing. */
@ApiSchema({ name: 'LimitSettings', description: 'A limit as it was set, without its state.' })
export class ShownLimitDto {
  @ApiProperty(limitProperties.metric)
  metric: Metric;

  @ApiPropertyOptional(limitProperties.per)
  per?: Period;

  @ApiProperty(limitProperties.max)
  max: number | string;

  @ApiPropertyOptional(limitProperties.models)
  models?: string[];

  @ApiPropertyOptional({ ...limitProperties.increase, type: LimitIncreaseDto })
  increase?: LimitIncreaseDto;

  @ApiPropertyOptional(limitProperties.notifyAt)
  notifyAt?: number[];
}

@ApiSchema({ name: 'LimitState', description: 'A limit and its current state.' })
export class LimitStateDto extends ShownLimitDto {
  @ApiProperty(
    usedProperty(
      'Amount used, including reservations of running requests; of `concurrency`, the number of running requests. Can exceed `max`.',
      120,
    ),
  )
  used: number | string;

  @ApiProperty(
    usedProperty('Part of `used` that running requests reserve. They return what they turn out not to need.', 0),
  )
  reserved: number | string;

  @ApiProperty(
    usedProperty('Part of `used` that was charged as reserved, because the upstream never reported the usage.', 0),
  )
  estimated: number | string;

  @ApiProperty(usedProperty('Amount left, with an increase that applies now.', 480))
  remaining: number | string;

  @ApiProperty({
    ...timeProperty("When the limit is fully available again, if it isn't used until then; null for `concurrency`"),
    type: String,
    nullable: true,
  })
  resetsAt: string | null;

  @ApiProperty({ description: 'Whether `increase` applies now.', example: false })
  isIncreased: boolean;
}

const limitExamples = [
  { metric: 'requests', per: 'minute', max: 600 },
  { metric: 'cost', per: 'month', max: '25.00', notifyAt: [50, 80, 100] },
  { metric: 'concurrency', max: 20 },
];

const settingsExamples = [
  { metric: 'requests', per: 'minute', max: 600 },
  { metric: 'cost', per: 'month', max: '25', notifyAt: [50, 80, 100] },
];

const stateExamples = [
  {
    ...{ metric: 'requests', per: 'minute', max: 600 },
    ...{ used: 120, reserved: 0, estimated: 0, remaining: 480 },
    ...{ resetsAt: '2026-01-31T09:30:12.000Z', isIncreased: false },
  },
  {
    ...{ metric: 'cost', per: 'month', max: '25', notifyAt: [50, 80, 100] },
    ...{ used: '1.25', reserved: '0.05', estimated: '0', remaining: '23.75' },
    ...{ resetsAt: '2026-02-01T00:00:00.000Z', isIncreased: false },
  },
  {
    ...{ metric: 'concurrency', max: 20 },
    ...{ used: 3, reserved: 0, estimated: 0, remaining: 17 },
    ...{ resetsAt: null, isIncreased: false },
  },
];

/** The limits in a response that leaves out their state. */
export const LimitSettingsField = (description: string) =>
  ApiPropertyOptional({ type: [ShownLimitDto], description, maxItems: maxLimits, example: settingsExamples });

/** The limits in a response, with their state. */
export const LimitStatesField = () =>
  ApiProperty({
    type: [LimitStateDto],
    description: 'Limits, sorted by metric, period and models. Empty without limits.',
    maxItems: maxLimits,
    example: stateExamples,
  });

/**
 * The limits in a request. Changes apply to the next request on every replica.
 *
 * @param description OpenAPI text: what the limits apply to
 * @param emptyList OpenAPI text: what an empty list does
 * @param excluded whether another field of the example excludes this one
 */
export const LimitsField = (
  description: string,
  { emptyList = 'An empty list removes all limits.', excluded = false } = {},
) =>
  applyDecorators(
    ApiPropertyOptional({
      type: [LimitDto],
      description: `${description} At most one per metric, period and set of models. ${emptyList}`,
      maxItems: maxLimits,
      ...(excluded ? { examples: [] } : { example: limitExamples }),
    }),
    OptionalField(),
    Type(() => LimitDto),
    ValidateNested({ each: true }),
    IsListOfLimits(LimitDto, 'metric, per and max'),
    HasNoRepeatedLimit(LimitDto),
  );
