import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';

@ApiSchema({ name: 'InvitationToken', description: 'Invitation token.' })
export class InvitationTokenDto {
  @ApiProperty({
    description: 'Value of `token` in the invitation link.',
    example: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    minLength: 1,
    maxLength: 1024,
  })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  token: string;
}
