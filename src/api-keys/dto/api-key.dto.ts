import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsBoolean, IsIn, IsInt, IsUUID, Matches, Max, Min } from 'class-validator';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import {
  HasCodePoints,
  IsName,
  IsOneOf,
  IsTag,
  OptionalField,
  Trimmed,
} from '../../common/validation/field-decorators.js';
import {
  type LeakedSecret,
  leakedSecrets,
  maxLeakTextLength,
  maxLeakUrlLength,
} from '../../common/rules/leak-rules.js';
import { maxTagLength } from '../../common/rules/tag-rules.js';
import { maxAddressRangeLength } from '../../common/rules/text-rules.js';
import { BodyInstant, NullableBodyInstant } from '../../common/validation/instant.js';
import { PageQueryDto, PagingDto } from '../../common/validation/paging.dto.js';
import { LimitStateDto } from '../../limits/dto/limit.dto.js';
import { RecentUsageDto } from './recent-use.dto.js';
import { KeyRestrictionsDto, ShownKeyRestrictionsDto } from './key-restrictions.dto.js';
import { tagsProperty } from './tags.js';

const orders = ['ASC', 'DESC'] as const;
const orderByFields = ['createdAt', 'name', 'lastUsedAt', 'expiresAt', 'creator'] as const;
const includes = ['creator', 'use'] as const;
const hintPattern = /^kc_[0-9A-Za-z]{5}$/;
const states = ['active', 'disabled', 'expired', 'expiring', 'unused', 'leaked'] as const;

/** Tags in a list. */
export const maxListedTags = 1000;

const maxGracePeriodSeconds = 7 * 24 * 3600;
const gracePeriodMessage = `$property must be an integer between 0 and ${maxGracePeriodSeconds} (7 days)`;

/** OpenAPI text of a name. */
export const nameProperty = { example: 'Search indexer', minLength: 2, maxLength: 100 };

/** OpenAPI text of the first characters of a key. */
export const hintProperty = { example: 'kc_4fT9q', pattern: hintPattern.source };

const keyProperty = {
  description: 'The full API key. Store it now: no other response contains it.',
  example: 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM',
  pattern: '^kc_[0-9A-Za-z]{46}$',
};

@ApiSchema({ name: 'CreateApiKey', description: 'New API key settings.' })
export class CreateApiKeyDto extends KeyRestrictionsDto {
  @ApiProperty({
    ...nameProperty,
    description: 'Name of the API key. It need not be unique. Leading and trailing spaces are trimmed.',
  })
  @Trimmed()
  @IsName()
  name: string;

  @BodyInstant({
    description:
      'When the key expires, in the future. Without it, the key never expires. Required if the organization limits the lifetime of keys.',
    example: '2027-01-31T09:30:00Z',
  })
  expiresAt?: Date;
}

@ApiSchema({ name: 'UpdateApiKey', description: 'API key settings to change. Omitted fields stay the same.' })
export class UpdateApiKeyDto extends KeyRestrictionsDto {
  @ApiPropertyOptional({
    ...nameProperty,
    description: 'Name of the API key. It need not be unique. Leading and trailing spaces are trimmed.',
  })
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiPropertyOptional({
    description: 'Whether the key is accepted. Disabled keys are rejected with 403.',
    example: true,
  })
  @OptionalField()
  @IsBoolean({ message: '$property must be true or false' })
  enabled?: boolean;

  @NullableBodyInstant({
    description:
      'When the key expires, in the future and within the limit of the organization. Null means never. An expired key works again.',
    example: '2027-01-31T09:30:00Z',
  })
  expiresAt?: Date | null;
}

@ApiSchema({ name: 'RotateApiKey', description: 'Rotation settings.' })
export class RotateApiKeyDto {
  @ApiProperty({
    type: 'integer',
    description: 'How long the current secret keeps working, in seconds. 0 revokes it immediately.',
    example: 3600,
    minimum: 0,
    maximum: maxGracePeriodSeconds,
  })
  @IsInt({ message: gracePeriodMessage })
  @Min(0, { message: gracePeriodMessage })
  @Max(maxGracePeriodSeconds, { message: gracePeriodMessage })
  gracePeriodSeconds: number;
}

export class ListApiKeysQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Sort direction.', enum: orders, default: 'DESC' })
  @IsOneOf(orders)
  order: (typeof orders)[number] = 'DESC';

  @ApiPropertyOptional({
    description:
      'Sort field. Names are sorted case-insensitively, also those of creators. Keys that were never used sort as the least recently used, keys that never expire as the last to expire, and keys without a known creator as the last.',
    enum: orderByFields,
    default: 'createdAt',
  })
  @IsOneOf(orderByFields)
  orderBy: (typeof orderByFields)[number] = 'createdAt';

  @ApiPropertyOptional({
    description: 'Only keys whose name contains this text, case-insensitive.',
    minLength: 0,
    maxLength: 100,
  })
  @OptionalField()
  @HasCodePoints(0, 100)
  name?: string;

  @ApiPropertyOptional({
    description: 'Only keys with exactly this name, case-insensitive.',
    minLength: 0,
    maxLength: 100,
  })
  @OptionalField()
  @HasCodePoints(0, 100)
  exactName?: string;

  @ApiPropertyOptional({
    description:
      'Only keys with this hint, to find a leaked key: its first 8 characters, such as `kc_4fT9q`. Includes previous secrets that are still accepted.',
    pattern: hintPattern.source,
  })
  @OptionalField()
  @Matches(hintPattern, { message: '$property must be the first 8 characters of a key, such as kc_4fT9q' })
  hint?: string;

  @ApiPropertyOptional({
    description: 'Only keys with this tag, case-insensitive.',
    minLength: 1,
    maxLength: maxTagLength,
  })
  @OptionalField()
  @IsTag()
  tag?: string;

  @ApiPropertyOptional({
    description:
      'Only keys in this state: `active` (enabled and not expired), `disabled`, `expired`, `expiring` (active, for 7 days at most), `unused` (active, but not used for 30 days) or `leaked` (a secret was reported as leaked, and not revoked since; the key may be disabled).',
    enum: states,
  })
  @OptionalField()
  @IsOneOf(states)
  state?: (typeof states)[number];

  @ApiPropertyOptional({
    description: 'Only keys created by the user or service account with this id, including former members.',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID('all', { message: '$property must be the id of a user or service account, a UUID' })
  creatorId?: string;

  @ApiPropertyOptional({
    description:
      'What to add to each key: `creator` adds `createdBy` or `createdByServiceAccount`; `use` adds `fullestLimit`, and `recentUsage` if your role has `get-usage`. Without it, the list takes less time.',
    enum: includes,
    isArray: true,
    uniqueItems: true,
    maxItems: includes.length,
    example: ['use'],
  })
  @OptionalField()
  @Transform(({ value }: { value: unknown }): unknown[] => [value].flat())
  @ArrayUnique({ message: '$property must not have duplicates' })
  @IsIn(includes, { each: true, message: `$property must be ${includes.join(' or ')}` })
  include?: (typeof includes)[number][];
}

@ApiSchema({ name: 'CreatedApiKey', description: 'A new API key.' })
export class CreatedApiKeyDto {
  @ApiProperty(keyProperty)
  key: string;
}

@ApiSchema({ name: 'RotatedApiKey', description: 'A rotated API key.' })
export class RotatedApiKeyDto {
  @ApiProperty(keyProperty)
  key: string;
}

@ApiSchema({ name: 'ApiKeyCreator', description: 'The user who created an API key.' })
class ApiKeyCreatorDto {
  @ApiProperty(idProperty('user'))
  id: string;

  @ApiProperty({ description: 'Name of the user.', example: 'Ada Lovelace', minLength: 1 })
  name: string;

  @ApiProperty({ description: 'Email of the user.', example: 'ada@example.com', format: 'email' })
  email: string;
}

@ApiSchema({ name: 'ApiKeyCreatingServiceAccount', description: 'The service account that created an API key.' })
class ApiKeyCreatingServiceAccountDto {
  @ApiProperty(idProperty('service account'))
  id: string;

  @ApiProperty({ description: 'Name of the service account.', example: 'Deploy pipeline', minLength: 1 })
  name: string;
}

@ApiSchema({ name: 'ApiKey', description: 'API key metadata. The full key is never included.' })
export class ApiKeyDto {
  @ApiProperty(idProperty('API key'))
  id: string;

  @ApiProperty({ ...nameProperty, description: 'Name of the API key.' })
  name: string;

  @ApiProperty({ ...hintProperty, description: 'First characters of the key.' })
  hint: string;

  @ApiProperty(tagsProperty)
  tags: string[];

  @ApiProperty(timeProperty('When the key was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When the key was last changed'))
  updatedAt: string;

  @ApiPropertyOptional({
    ...timeProperty('When the key expires or expired; absent if it never expires'),
    example: '2027-01-31T09:30:00.000Z',
  })
  expiresAt?: string;

  @ApiPropertyOptional(timeProperty('When the key was last used, accurate to two seconds; absent if it was never used'))
  lastUsedAt?: string;

  @ApiPropertyOptional(
    timeProperty(
      'When a secret of the key was first reported as leaked; absent if none was, or if it was revoked since',
    ),
  )
  leakedAt?: string;

  @ApiPropertyOptional({ description: 'False for a disabled key; otherwise absent.', example: false })
  enabled?: false;

  @ApiPropertyOptional({
    description: 'The user who created the key, in lists with `include=creator`; absent if unknown.',
  })
  createdBy?: ApiKeyCreatorDto;

  @ApiPropertyOptional({
    description: 'The service account that created the key, in lists with `include=creator`; absent if none did.',
  })
  createdByServiceAccount?: ApiKeyCreatingServiceAccountDto;
}

@ApiSchema({ name: 'ListedApiKey', description: 'API key metadata in a list. The full key is never included.' })
export class ListedApiKeyDto extends ApiKeyDto {
  @ApiPropertyOptional({
    type: RecentUsageDto,
    description: 'Usage on the last seven UTC days. Only with `include=use` and the permission `get-usage`.',
  })
  recentUsage?: RecentUsageDto;

  @ApiPropertyOptional({
    type: LimitStateDto,
    description: 'The limit of which the largest share is used; absent without limits. Only with `include=use`.',
  })
  fullestLimit?: LimitStateDto;
}

@ApiSchema({ name: 'ApiKeyList', description: 'A page of API keys.' })
export class ApiKeyListDto extends PagingDto {
  @ApiProperty({
    type: [ListedApiKeyDto],
    description: 'API keys on this page, in the requested order.',
    maxItems: 100,
  })
  apiKeys: ListedApiKeyDto[];
}

@ApiSchema({ name: 'ApiKeyTag', description: 'A tag, and how many API keys have it.' })
class ApiKeyTagDto {
  @ApiProperty({ description: 'The tag.', example: 'production', minLength: 1, maxLength: maxTagLength })
  tag: string;

  @ApiProperty({ type: 'integer', description: 'Number of API keys with this tag.', example: 12, minimum: 1 })
  apiKeyCount: number;
}

@ApiSchema({ name: 'ApiKeyTagList', description: 'Tags of API keys.' })
export class ApiKeyTagListDto {
  @ApiProperty({
    type: [ApiKeyTagDto],
    description: `The ${maxListedTags.toLocaleString('en')} most used tags, those of the most API keys first.`,
    maxItems: maxListedTags,
  })
  tags: ApiKeyTagDto[];
}

@ApiSchema({ name: 'ApiKeyLeak', description: 'Where a secret of an API key was found first.' })
class ApiKeyLeakDto {
  @ApiProperty(timeProperty('When it was reported'))
  reportedAt: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "URL of the place, as reported, without secrets. Don't trust it. Null if the report has none.",
    example: 'https://github.com/example/repository/blob/main/.env',
    format: 'uri',
    maxLength: maxLeakUrlLength,
  })
  url: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Kind of place, as reported, such as `commit`; null if the report has none.',
    example: 'commit',
    maxLength: maxLeakTextLength,
  })
  source: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Which secret it was: the `current` one, or the `previous` one, from before the last rotation.',
    enum: leakedSecrets,
    example: 'current',
  })
  secret: LeakedSecret | null;
}

@ApiSchema({
  name: 'ApiKeyDetails',
  description: 'API key metadata with the creator and limits. The full key is never included.',
})
export class ApiKeyDetailsDto extends IntersectionType(
  OmitType(ApiKeyDto, ['enabled', 'createdBy', 'createdByServiceAccount']),
  ShownKeyRestrictionsDto,
) {
  @ApiProperty({
    type: ApiKeyCreatorDto,
    nullable: true,
    description: 'The user who created the key; null if a service account did, or the account was deleted.',
  })
  createdBy: ApiKeyCreatorDto | null;

  @ApiPropertyOptional({ description: 'The service account that created the key; absent if it was deleted.' })
  createdByServiceAccount?: ApiKeyCreatingServiceAccountDto;

  @ApiPropertyOptional({
    description: 'IP address of a client that used the key at `lastUsedAt`; absent if it is unknown.',
    example: '203.0.113.7',
    minLength: 2,
    maxLength: maxAddressRangeLength,
  })
  lastUsedAddress?: string;

  @ApiProperty({ ...timeProperty('When the key was last rotated; null if it never was'), type: String, nullable: true })
  rotatedAt: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'First characters of the previous secret; null if none is accepted.',
    example: 'kc_9Zx2b',
    pattern: hintPattern.source,
  })
  previousSecretHint: string | null;

  @ApiPropertyOptional(timeProperty('When the previous secret expires; absent if none is accepted'))
  previousSecretExpiresAt?: string;

  @ApiPropertyOptional({
    ...timeProperty(
      'When the previous secret was last used, accurate to two seconds; null if it never was, absent if none is accepted',
    ),
    type: String,
    nullable: true,
  })
  previousSecretLastUsedAt?: string | null;

  @ApiPropertyOptional({
    type: ApiKeyLeakDto,
    description:
      'Where a secret of the key was found; absent if none was reported as leaked, or if the key was rotated since.',
  })
  leak?: ApiKeyLeakDto;

  @ApiProperty({ description: 'Whether the key is accepted.', example: true })
  enabled: boolean;
}
