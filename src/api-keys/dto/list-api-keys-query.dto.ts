import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsIn, IsUUID, Matches } from 'class-validator';
import { maxTagLength } from '../../common/rules/tag-rules.js';
import { HasCodePoints, IsOneOf, IsTag, OptionalField } from '../../common/validation/field-decorators.js';
import { PageQueryDto } from '../../common/validation/paging.dto.js';
import { QueryList } from '../../common/validation/query-list.js';
import { hintPattern } from './api-key-properties.js';

const orders = ['ASC', 'DESC'] as const;
const orderByFields = ['createdAt', 'name', 'lastUsedAt', 'expiresAt', 'creator'] as const;
const includes = ['creator', 'use', 'limits', 'knownToFormerMembers'] as const;
const states = ['active', 'disabled', 'expired', 'expiring', 'unused', 'leaked', 'known-to-former-members'] as const;

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

  @QueryList({ description: 'Only the key with this id.', format: 'uuid' })
  @IsUUID('all', { each: true, message: '$property must be the id of an API key, a UUID' })
  id?: string[];

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
      'Only keys in this state: `active` (enabled and not expired), `disabled`, `expired`, `expiring` (active, for 7 days at most, without `deleteWhenExpired`), `unused` (active, but not used for 90 days), `leaked` (a secret was reported as leaked, and not revoked since; the key may be disabled) or `known-to-former-members` (active, and someone who is no longer a member, or a service account that was deleted, received a secret that is still accepted: the current one, or the previous one in its grace period; found in the audit log and by creator).',
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
      'Only keys that others created and the user or service account with this id rotated, including former members, while the secret they received is accepted: as the current one, or as the previous one in its grace period. Found in the audit log.',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID('all', { message: '$property must be the id of a user or service account, a UUID' })
  rotatedById?: string;

  @ApiPropertyOptional({
    description:
      "What to add to each key: `creator` adds `createdBy` or `createdByServiceAccount`; `use` adds `fullestLimit`, `fullestCostLimit`, and `recentUsage` if your role has `get-usage`; `limits` adds the limits without their state; `knownToFormerMembers` adds who knows a secret and shouldn't. Without it, the list takes less time.",
    enum: includes,
    isArray: true,
    uniqueItems: true,
    maxItems: includes.length,
  })
  @OptionalField()
  @Transform(({ value }: { value: unknown }): unknown[] => [value].flat())
  @ArrayUnique({ message: '$property must not have duplicates' })
  @IsIn(includes, { each: true, message: `$property must be one of ${includes.join(', ')}` })
  include?: (typeof includes)[number][];
}
