import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type TypeHelpOptions } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { timeProperty } from '../../common/http/api-resource.js';
import { type Metric, metrics } from '../../common/rules/limit-rules.js';
import { IsInstantText } from '../../common/validation/instant.js';
import { amountRuleOf } from './limit-amounts.js';
import { amountProperty } from './limit-properties.js';

@ApiSchema({ name: 'LimitIncrease', description: 'Raises the maximum of a limit until a time.' })
export class LimitIncreaseDto {
  @ApiProperty(amountProperty('What is added to `max`.', '5.00'))
  @IsIncreaseOfMetric()
  by: number | string;

  @ApiProperty({
    ...timeProperty('When the increase ends'),
    example: '2026-12-01T00:00:00.000Z',
  })
  @IsInstantText()
  until: string;
}

/** A class for each metric, because a nested object doesn't see the limit that it belongs to. */
const typesByMetric = new Map<unknown, typeof LimitIncreaseDto>(
  metrics.map((metric) => [metric, class extends LimitIncreaseDto {}]),
);

/** The class of the increase of a limit that class-transformer reads. */
export function increaseType(help?: TypeHelpOptions): typeof LimitIncreaseDto {
  const { metric } = (help?.object ?? {}) as { metric?: unknown };
  return typesByMetric.get(metric) ?? LimitIncreaseDto;
}

function metricOf(increase: object | undefined): Metric | undefined {
  return metrics.find((metric) => typesByMetric.get(metric) === increase?.constructor);
}

function IsIncreaseOfMetric(): PropertyDecorator {
  return ValidateBy({
    name: 'isIncreaseOfMetric',
    validator: {
      validate: (value: unknown, details) => amountRuleOf(metricOf(details?.object)).isAllowed(value),
      defaultMessage: (details) => `${details?.property} must be ${amountRuleOf(metricOf(details?.object)).allowed}`,
    },
  });
}
