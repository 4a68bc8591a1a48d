import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

interface QueryIntegerOptions {
  minimum: number;
  maximum: number;
  description: string;
  default?: number;
}

/** An integer in a query string. Only digits are accepted: `1e3`, `+5`, ` 5` and repeated parameters are rejected. */
export function QueryInteger({ minimum, maximum, ...documentation }: QueryIntegerOptions): PropertyDecorator {
  const message = `$property must be an integer between ${minimum} and ${maximum}`;
  return applyDecorators(
    ApiPropertyOptional({ ...documentation, type: 'integer', minimum, maximum }),
    Transform(({ value }: { value: unknown }) => {
      return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    }),
    IsInt({ message }),
    Min(minimum, { message }),
    Max(maximum, { message }),
  );
}

/** The largest PostgreSQL `integer`. */
const maxPage = 2_147_483_647;

/** Query parameters of a paginated list. */
export class PageQueryDto {
  @QueryInteger({ minimum: 1, maximum: maxPage, default: 1, description: 'Page number.' })
  page = 1;

  @QueryInteger({ minimum: 1, maximum: 100, default: 10, description: 'Items per page.' })
  perPage = 10;
}

/** Fields of a paginated response. */
export class PagingDto {
  @ApiProperty({ type: 'integer', description: 'Number of matching items on all pages.', example: 1, minimum: 0 })
  total: number;

  @ApiProperty({ type: 'integer', description: 'Page number.', example: 1, minimum: 1, maximum: maxPage })
  page: number;

  @ApiProperty({ type: 'integer', description: 'Items per page.', example: 10, minimum: 1, maximum: 100 })
  perPage: number;
}
