import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PagingDto } from '../../common/validation/paging.dto.js';
import { LimitSettingsField, LimitStateDto, type ShownLimitDto } from '../../limits/dto/limit.dto.js';
import { ApiKeyDto } from './api-key.dto.js';
import { type FormerHolderDto, formerHoldersProperty } from './former-holder.dto.js';
import { RecentUsageDto } from './recent-use.dto.js';

@ApiSchema({ name: 'ListedApiKey', description: 'API key metadata in a list. The full key is never included.' })
export class ListedApiKeyDto extends ApiKeyDto {
  @ApiPropertyOptional({
    type: RecentUsageDto,
    description: 'Usage on the last seven UTC days. Only with `include=use` and the permission `get-usage`.',
  })
  recentUsage?: RecentUsageDto;

  @ApiPropertyOptional({
    type: LimitStateDto,
    description: 'The limit closest to its maximum; absent without limits. Only with `include=use`.',
  })
  fullestLimit?: LimitStateDto;

  @ApiPropertyOptional({
    type: LimitStateDto,
    description: 'The limit in money (`cost`) closest to its maximum; absent without one. Only with `include=use`.',
  })
  fullestCostLimit?: LimitStateDto;

  @ApiPropertyOptional({
    ...formerHoldersProperty,
    description: `${formerHoldersProperty.description} Only with \`include=knownToFormerMembers\`.`,
  })
  knownToFormerMembers?: FormerHolderDto[];

  @LimitSettingsField(
    'Limits, sorted by metric, period and models; empty without limits. Only with `include=limits`. `GET /api-keys/{id}` also returns their state.',
  )
  limits?: ShownLimitDto[];
}

@ApiSchema({ name: 'ApiKeyList', description: 'A page of API keys.' })
export class ApiKeyListDto extends PagingDto {
  @ApiProperty({
    type: [ListedApiKeyDto],
    description: 'API keys on this page, in the requested order.',
    maxItems: 100,
  })
  apiKeys: ListedApiKeyDto[];

  @ApiPropertyOptional({
    description: 'Currency of costs and of limits in money (ISO 4217). Only with `include=use`.',
    example: 'USD',
    pattern: '^[A-Z]{3}$',
  })
  currency?: string;
}
