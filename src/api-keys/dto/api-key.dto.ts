import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { PersonReferenceDto } from '../../common/http/person-reference.dto.js';
import { hintProperty, nameProperty } from './api-key-properties.js';
import { tagsProperty } from './tags.js';

@ApiSchema({ name: 'ApiKeyCreator', description: 'The user who created an API key.' })
export class ApiKeyCreatorDto extends PersonReferenceDto {}

@ApiSchema({ name: 'ApiKeyCreatingServiceAccount', description: 'The service account that created an API key.' })
export class ApiKeyCreatingServiceAccountDto {
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

  @ApiPropertyOptional({
    ...tagsProperty,
    minItems: 1,
    description: `${tagsProperty.description} Absent without tags.`,
  })
  tags?: string[];

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

  @ApiPropertyOptional(timeProperty('When the previous secret expires; absent if none is accepted'))
  previousSecretExpiresAt?: string;

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
