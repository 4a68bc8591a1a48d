import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { IsName, OptionalField, Trimmed } from '../../../common/validation/field-decorators.js';
import { InvitationTokenDto } from './invitation-token.dto.js';

@ApiSchema({ name: 'AcceptInvitation', description: 'Who accepts an invitation.' })
export class AcceptInvitationDto extends InvitationTokenDto {
  @ApiProperty({
    description: 'Name of the new account; an account that is there already keeps its own.',
    example: 'Ada Lovelace',
    required: false,
    minLength: 2,
    maxLength: 100,
  })
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiProperty({
    description:
      'Password of the account. When the invited address has no account yet, one is created with this password, which must then have 12 to 256 characters.',
    example: 'correct horse battery staple',
    format: 'password',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  password: string;
}
