import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { HasCodePoints } from '../../common/validation/field-decorators.js';
import { PageQueryDto, PagingDto } from '../../common/validation/paging.dto.js';

const orders = ['ASC', 'DESC'] as const;
const orderByFields = ['createdAt', 'name'] as const;

export class ListApiKeysQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Sort direction.', enum: orders, default: 'DESC', example: 'DESC' })
  @IsIn(orders, { message: `$property must be one of ${orders.join(', ')}` })
  order: (typeof orders)[number] = 'DESC';

  @ApiPropertyOptional({
    description: 'Sort field; names are compared without regard to case.',
    enum: orderByFields,
    default: 'createdAt',
    example: 'createdAt',
  })
  @IsIn(orderByFields, { message: `$property must be one of ${orderByFields.join(', ')}` })
  orderBy: (typeof orderByFields)[number] = 'createdAt';

  @ApiPropertyOptional({
    description: 'Only keys whose name contains this text, in any case.',
    example: 'search',
    minLength: 0,
    maxLength: 100,
  })
  @IsOptional()
  @HasCodePoints(0, 100)
  name?: string;
}

@ApiSchema({ name: 'ApiKey', description: 'A key, without the key itself.' })
export class ApiKeyDto {
  @ApiProperty({
    description: 'Identifier of the key.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  id: string;

  @ApiProperty({ description: 'Descriptive name.', example: 'Search indexer', minLength: 2, maxLength: 100 })
  name: string;

  @ApiProperty({
    description: 'The first characters of the key.',
    example: 'kc_4fT9q',
    pattern: '^kc_[0-9A-Za-z]{5}$',
  })
  hint: string;

  @ApiProperty({
    description: 'When the key was created (ISO 8601, UTC, milliseconds).',
    example: '2026-01-31T09:30:00.123Z',
    format: 'date-time',
  })
  createdAt: string;

  @ApiProperty({
    description: 'When the key was last changed (ISO 8601, UTC, milliseconds).',
    example: '2026-01-31T09:30:00.123Z',
    format: 'date-time',
  })
  updatedAt: string;

  @ApiPropertyOptional({
    description: 'When the key expires, or has expired (ISO 8601, UTC, milliseconds); absent when it never does.',
    example: '2027-01-31T09:30:00.000Z',
    format: 'date-time',
  })
  expiresAt?: string;

  @ApiPropertyOptional({
    description: 'When the key was last used, within a second or two; absent when it never was.',
    example: '2026-01-31T09:30:00.123Z',
    format: 'date-time',
  })
  lastUsedAt?: string;
}

@ApiSchema({ name: 'ApiKeyList', description: 'One page of keys.' })
export class ApiKeyListDto extends PagingDto {
  @ApiProperty({ type: [ApiKeyDto], description: 'The keys of this page, in the order asked for.', maxItems: 100 })
  apiKeys: ApiKeyDto[];
}
