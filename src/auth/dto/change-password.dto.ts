import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { NewPassword } from './new-password.js';

@ApiSchema({ name: 'ChangePassword', description: 'The password that was, and the one to come.' })
export class ChangePasswordDto {
  @ApiProperty({ description: 'The password until now.', example: 'the password until now', format: 'password' })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  currentPassword: string;

  @NewPassword({ description: 'The password from now on, 12 to 256 characters long.' })
  newPassword: string;
}
