import { ApiProperty } from '@nestjs/swagger';
import { largestPage } from './page-query.dto.js';

/** Which part of a list an answer holds. */
export class PagingDto {
  @ApiProperty({ type: 'integer', description: 'How many match, on all pages.', example: 42, minimum: 0 })
  total: number;

  @ApiProperty({
    type: 'integer',
    description: 'The page that was asked for.',
    example: 1,
    minimum: 1,
    maximum: largestPage,
  })
  page: number;

  @ApiProperty({ type: 'integer', description: 'Items per page.', example: 10, minimum: 1, maximum: 100 })
  perPage: number;
}
