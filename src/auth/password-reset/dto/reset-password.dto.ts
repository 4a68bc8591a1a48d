import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { HasLength } from '../../../common/validation/field-decorators.js';
import { NewPassword } from '../../dto/new-password.js';

@ApiSchema({ name: 'ResetPassword', description: 'Password reset token and new password.' })
export class ResetPasswordDto {
  @ApiProperty({
    description: 'Value of `token` in the link that `npm run admin -- reset-password` printed.',
    example: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    minLength: 1,
    maxLength: 1024,
  })
  @HasLength(1, 1024)
  token: string;

  @NewPassword({ description: 'New password, 12–256 characters, not easy to guess.' })
  newPassword: string;
}

@ApiSchema({ name: 'PasswordReset', description: 'The account that can sign in with the new password.' })
export class PasswordResetDto {
  @ApiProperty({ description: 'Confirmation for people.', example: 'The password was set.', minLength: 1 })
  message: string;

  @ApiProperty({ description: 'Email of the account.', format: 'email', example: 'ada@example.com' })
  email: string;
}
