import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { maxCheckedPasswordLength } from '../../common/rules/text-rules.js';
import { NewPassword } from './new-password.js';

@ApiSchema({ name: 'ChangePassword', description: 'Current and new password.' })
export class ChangePasswordDto {
  @ApiProperty({ description: 'Current password.', example: 'current horse battery staple', format: 'password' })
  @IsString()
  @MinLength(1)
  @MaxLength(maxCheckedPasswordLength)
  currentPassword: string;

  @NewPassword({ description: 'New password, 12–256 characters.' })
  newPassword: string;
}
