import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxCheckedPasswordLength, nameLength } from '../../../common/rules/text-rules.js';
import { HasLength, IsName, OptionalField, Trimmed } from '../../../common/validation/field-decorators.js';
import { InvitationTokenDto } from './invitation-token.dto.js';

@ApiSchema({
  name: 'AcceptInvitation',
  description: 'Invitation token, and credentials of the new or existing account.',
})
export class AcceptInvitationDto extends InvitationTokenDto {
  @ApiProperty({
    description: 'Name for a new account. Ignored if the invited email has an account.',
    example: 'Ada Lovelace',
    required: false,
    minLength: nameLength.min,
    maxLength: nameLength.max,
  })
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiProperty({
    description:
      'Password of the account. If the invited email has no account, one is created with this password, which must then have 12–256 characters and not be easy to guess.',
    example: 'correct horse battery staple',
    format: 'password',
    minLength: 1,
    maxLength: maxCheckedPasswordLength,
  })
  @HasLength(1, maxCheckedPasswordLength)
  password: string;
}
