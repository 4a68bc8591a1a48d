import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import { hintProperty, nameProperty } from './api-key.dto.js';
import { ShownKeyRestrictionsDto } from './key-restrictions.dto.js';

@ApiSchema({ name: 'CurrentApiKey', description: 'The API key of a request, for its holder.' })
export class CurrentApiKeyDto extends OmitType(ShownKeyRestrictionsDto, ['note']) {
  @ApiProperty({ ...nameProperty, description: 'Name of the API key.' })
  name: string;

  @ApiProperty({ ...hintProperty, description: 'First characters of the key you sent.' })
  hint: string;

  @ApiProperty({
    ...timeProperty('When the key you sent stops working, because it expires or was rotated; null if it never does'),
    type: String,
    nullable: true,
    example: '2027-01-31T09:30:00.000Z',
  })
  expiresAt: string | null;
}
