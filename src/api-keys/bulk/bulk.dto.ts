import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, isUUID, ValidateBy } from 'class-validator';
import { idProperty } from '../../common/http/api-resource.js';
import { OptionalField } from '../../common/validation/field-decorators.js';
import { NullableBodyInstant } from '../../common/validation/instant.js';
import { type IncreaseLimitDto, IncreaseLimitsField } from '../../limits/dto/increase-limit.dto.js';
import { type LimitDto, LimitsField } from '../../limits/dto/limit.dto.js';
import { RotateApiKeyDto, RotatedApiKeyDto } from '../dto/api-key-secret.dto.js';
import { TagsField } from '../dto/tags.js';

/** Keys of a request. */
export const maxBulkKeys = 1000;

const idsProperty = {
  type: 'array',
  items: { type: 'string', format: 'uuid' },
  minItems: 1,
  maxItems: maxBulkKeys,
  example: ['01990000-0000-7000-8000-000000000001', '01990000-0000-7000-8000-000000000002'],
} as const;

/** Ids of keys, each once. */
const IdsField = () =>
  applyDecorators(
    ApiProperty({ ...idsProperty, description: 'Ids of the API keys, each once.' }),
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(toLowerCase) : value)),
    ValidateBy({
      name: 'isListOfIds',
      validator: {
        validate: isListOfIds,
        defaultMessage: () => `$property must be a list of 1 to ${maxBulkKeys} ids of API keys, each once`,
      },
    }),
  );

const toLowerCase = (id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id);

function isListOfIds(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxBulkKeys) return false;
  return new Set(value).size === value.length && value.every((id) => isUUID(id));
}

@ApiSchema({ name: 'BulkUpdateApiKeys', description: 'Changes of several API keys. Omitted fields stay the same.' })
export class BulkUpdateApiKeysDto {
  @IdsField()
  ids: string[];

  @ApiPropertyOptional({ description: 'Whether the keys are accepted.', example: true })
  @OptionalField()
  @IsBoolean({ message: '$property must be true or false' })
  enabled?: boolean;

  @NullableBodyInstant({
    description: 'When the keys expire, in the future and within the limit of the organization. Null means never.',
    example: '2027-01-31T09:30:00Z',
  })
  expiresAt?: Date | null;

  @LimitsField('How much each key may use. Replaces its limits. Not together with `setLimits` or `increaseLimits`.', {
    excluded: true,
  })
  limits?: LimitDto[];

  @LimitsField(
    'Limits to add to each key. Those on the same metric, period and models replace the current ones; other limits stay. Not together with `limits` or `increaseLimits`.',
    { emptyList: 'An empty list changes nothing.' },
  )
  setLimits?: LimitDto[];

  @IncreaseLimitsField(
    "Temporary increases of the keys' own limits with the same metric, period and models, whose maximums may differ. Keys without such a limit stay the same. Not together with `limits` or `setLimits`.",
  )
  increaseLimits?: IncreaseLimitDto[];

  @TagsField('Tags to add to each key.')
  addTags?: string[];

  @TagsField('Tags to remove from each key that has them.')
  removeTags?: string[];
}

@ApiSchema({ name: 'BulkDeleteApiKeys', description: 'API keys to delete.' })
export class BulkDeleteApiKeysDto {
  @IdsField()
  ids: string[];
}

@ApiSchema({ name: 'BulkRotateApiKeys', description: 'API keys to rotate.' })
export class BulkRotateApiKeysDto extends RotateApiKeyDto {
  @IdsField()
  ids: string[];
}

@ApiSchema({ name: 'BulkRotatedApiKey', description: 'A rotated API key.' })
class BulkRotatedApiKeyDto extends RotatedApiKeyDto {
  @ApiProperty(idProperty('API key'))
  id: string;
}

@ApiSchema({ name: 'BulkRotatedApiKeys', description: 'Rotated API keys with their new secrets.' })
export class BulkRotatedApiKeysDto {
  @ApiProperty({ type: [BulkRotatedApiKeyDto], description: 'The keys, in the order of `ids`.', maxItems: maxBulkKeys })
  apiKeys: BulkRotatedApiKeyDto[];

  @ApiProperty({
    ...idsProperty,
    minItems: 0,
    description: 'Ids that are not of an API key of the organization, such as those of deleted keys.',
    example: [],
  })
  notFoundIds: string[];
}

@ApiSchema({ name: 'BulkResult', description: 'What happened to the API keys of a request.' })
export class BulkResultDto {
  @ApiProperty({
    ...idsProperty,
    minItems: 0,
    description: 'Ids of the API keys that now are as requested, including those that were before.',
  })
  ids: string[];

  @ApiProperty({
    ...idsProperty,
    minItems: 0,
    description: 'Ids that are not of an API key of the organization, such as those of deleted keys.',
    example: [],
  })
  notFoundIds: string[];
}
