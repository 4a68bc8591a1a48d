import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsName } from '../../common/validation/field-decorators.js';
import { BodyInstant } from '../../common/validation/instant.js';

@ApiSchema({ name: 'CreateApiKey', description: 'What is chosen of a new key.' })
export class CreateApiKeyDto {
  @ApiProperty({
    description: 'Descriptive name. Spaces around it are removed; it need not be unique.',
    example: 'Search indexer',
    minLength: 2,
    maxLength: 100,
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsName()
  name: string;

  @BodyInstant({
    description:
      'When the key expires; in the future. From this instant on it is refused. Without it the key lasts until it is deleted, unless the organization limits the lifetime of keys.',
    example: '2027-01-31T09:30:00Z',
  })
  expiresAt?: Date;
}

@ApiSchema({ name: 'CreatedApiKey', description: 'A new key; it cannot be retrieved again.' })
export class CreatedApiKeyDto {
  @ApiProperty({
    description: 'The full key. Keep it: this answer is the only one that holds it.',
    example: 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM',
    pattern: '^kc_[0-9A-Za-z]{46}$',
  })
  key: string;
}
