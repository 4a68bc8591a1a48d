import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsName, OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { BodyInstant, NullableBodyInstant } from '../../common/validation/instant.js';
import { nameProperty } from './api-key-properties.js';
import { KeyRestrictionsDto } from './key-restrictions.dto.js';

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

  @ApiPropertyOptional({
    description:
      'Whether the key is deleted 5 minutes after it has expired. Requires `expiresAt`. By default, an expired key stays listed.',
    example: false,
  })
  @OptionalField()
  @IsBoolean({ message: '$property must be true or false' })
  deleteWhenExpired?: boolean;
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
