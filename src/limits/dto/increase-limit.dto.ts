import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateIf, ValidateNested } from 'class-validator';
import { maxLimits, type Metric, metrics, type Period } from '../../common/rules/limit-rules.js';
import { IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { increaseType, LimitIncreaseDto } from './limit-increase.dto.js';
import { limitProperties } from './limit-properties.js';
import {
  HasNoRepeatedLimit,
  IsIncrease,
  IsListOfLimits,
  IsListOfModels,
  IsPeriodOfMetric,
} from './limit-validation.js';

/** Like a limit, but with the increase only, so that a request can't change anything else. */
@ApiSchema({ name: 'IncreaseLimit', description: 'The temporary increase of limits that each have their own maximum.' })
export class IncreaseLimitDto {
  @ApiProperty({ ...limitProperties.metric, description: 'The metric of the limits.', example: 'cost' })
  @IsOneOf(metrics)
  metric: Metric;

  @ApiPropertyOptional({
    ...limitProperties.per,
    description: 'The period of the limits; omitted for `concurrency`.',
    example: 'month',
  })
  @IsPeriodOfMetric()
  per?: Period;

  @ApiPropertyOptional({
    ...limitProperties.models,
    description: 'The models of the limits, in any order. Omitted for limits on all models.',
    nullable: true,
  })
  @OptionalField({ nullable: true })
  @IsListOfModels()
  models?: string[] | null;

  @ApiProperty({
    description: 'Replaces the current increase. Null removes it.',
    type: LimitIncreaseDto,
    nullable: true,
  })
  @ValidateIf((_object: object, value: unknown) => value !== null)
  @Type(increaseType)
  @ValidateNested()
  @IsIncrease()
  increase: LimitIncreaseDto | null;
}

/**
 * Increases of limits in a request. They apply to the next request on every replica.
 *
 * @param description OpenAPI text: whose limits they are
 */
export const IncreaseLimitsField = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({
      type: [IncreaseLimitDto],
      description: `${description} At most one per metric, period and set of models. An empty list changes nothing.`,
      maxItems: maxLimits,
      // The example of the request has other limits, which exclude these.
      examples: [],
    }),
    OptionalField(),
    Type(() => IncreaseLimitDto),
    ValidateNested({ each: true }),
    IsListOfLimits(IncreaseLimitDto, 'metric, per and increase'),
    HasNoRepeatedLimit(IncreaseLimitDto),
  );
