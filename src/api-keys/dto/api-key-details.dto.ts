import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType, OmitType } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import {
  type LeakedSecret,
  leakedSecrets,
  maxLeakTextLength,
  maxLeakUrlLength,
} from '../../common/rules/leak-rules.js';
import { maxAddressRangeLength } from '../../common/rules/text-rules.js';
import { hintPattern } from './api-key-properties.js';
import { ApiKeyCreatingServiceAccountDto, ApiKeyCreatorDto, ApiKeyDto } from './api-key.dto.js';
import { type FormerHolderDto, formerHoldersProperty } from './former-holder.dto.js';
import { ShownKeyRestrictionsDto } from './key-restrictions.dto.js';
import { LeakReporterDto } from './leak-reporter.dto.js';
import { tagsProperty } from './tags.js';

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

  @ApiPropertyOptional({
    description:
      'Who reported it with `report-leak`; absent if a scanner did, or if the audit log no longer has the report.',
  })
  reportedBy?: LeakReporterDto;
}

@ApiSchema({
  name: 'ApiKeyDetails',
  description: 'API key metadata with the creator and limits. The full key is never included.',
})
export class ApiKeyDetailsDto extends IntersectionType(
  OmitType(ApiKeyDto, ['tags', 'enabled', 'createdBy', 'createdByServiceAccount']),
  ShownKeyRestrictionsDto,
) {
  @ApiProperty(tagsProperty)
  tags: string[];

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

  @ApiProperty(formerHoldersProperty)
  knownToFormerMembers: FormerHolderDto[];

  @ApiProperty({ description: 'Whether the key is deleted 5 minutes after it has expired.', example: false })
  deleteWhenExpired: boolean;

  @ApiProperty({ description: 'Whether the key is accepted.', example: true })
  enabled: boolean;
}
