import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { NewPassword } from '../../dto/new-password.js';

@ApiSchema({ name: 'ResetPassword', description: 'Password reset token and new password.' })
export class ResetPasswordDto {
  @ApiProperty({
    description: 'Value of `token` in the link that `npm run admin -- reset-password` printed.',
    example: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    minLength: 1,
    maxLength: 1024,
  })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  token: string;

  @NewPassword({ description: 'New password.' })
  newPassword: string;
}
