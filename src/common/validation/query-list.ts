import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize } from 'class-validator';
import { OptionalField } from './field-decorators.js';

/** How often a parameter can be repeated. */
const maxValues = 100;

interface QueryListOptions {
  description: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
}

/**
 * A query parameter that can be repeated, with another value each time. Repeated values count once.
 *
 * @param options of the parameter and of each value; other decorators validate each value
 */
export const QueryList = ({ description, ...values }: QueryListOptions) =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', ...values },
      maxItems: maxValues,
      description: `${description} Repeat the parameter for any of several.`,
    }),
    OptionalField(),
    Transform(({ value }: { value: unknown }): unknown[] => [...new Set([value].flat())]),
    ArrayMaxSize(maxValues, { message: `$property must be repeated at most ${maxValues} times` }),
  );
