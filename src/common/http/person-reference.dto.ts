import { ApiProperty } from '@nestjs/swagger';
import { idProperty } from './api-resource.js';

/** A user, as other resources name them. */
export class PersonReferenceDto {
  @ApiProperty(idProperty('user'))
  id: string;

  @ApiProperty({ description: 'Name of the user.', example: 'Ada Lovelace', minLength: 1 })
  name: string;

  @ApiProperty({ description: 'Email of the user.', example: 'ada@example.com', format: 'email' })
  email: string;
}
