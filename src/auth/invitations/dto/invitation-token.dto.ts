import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { HasLength } from '../../../common/validation/field-decorators.js';

@ApiSchema({ name: 'InvitationToken', description: 'Invitation token.' })
export class InvitationTokenDto {
  @ApiProperty({
    description: 'Value of `token` in the invitation link.',
    example: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    minLength: 1,
    maxLength: 1024,
  })
  @HasLength(1, 1024)
  token: string;
}
