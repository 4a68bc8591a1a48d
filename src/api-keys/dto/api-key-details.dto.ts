import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { ApiKeyDto } from './api-key.dto.js';

@ApiSchema({ name: 'ApiKeyCreator', description: 'Who created a key.' })
export class ApiKeyCreatorDto {
  @ApiProperty({
    description: 'Identifier of the user.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  id: string;

  @ApiProperty({ description: 'Name of the user.', example: 'Ada Lovelace', minLength: 1 })
  name: string;

  @ApiProperty({ description: 'Email of the user.', example: 'ada@example.com', format: 'email' })
  email: string;
}

@ApiSchema({ name: 'ApiKeyDetails', description: 'A key, without the key itself, and its story.' })
export class ApiKeyDetailsDto extends OmitType(ApiKeyDto, ['lastUsedAt']) {
  @ApiProperty({ type: ApiKeyCreatorDto, nullable: true, description: 'Null when the account is gone.' })
  createdBy: ApiKeyCreatorDto | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'When the key was last used, within a second or two; null when it never was.',
    example: '2026-01-31T09:30:00.123Z',
    format: 'date-time',
  })
  lastUsedAt: string | null;
}
