import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';

@ApiSchema({ name: 'InvitationToken', description: 'Which invitation it is.' })
export class InvitationTokenDto {
  @ApiProperty({
    description: 'What follows `token=` in the link of the invitation.',
    example: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    minLength: 1,
    maxLength: 1024,
  })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  token: string;
}
