import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxCheckedPasswordLength } from '../../common/rules/text-rules.js';
import { HasLength } from '../../common/validation/field-decorators.js';
import { NewPassword } from './new-password.js';

@ApiSchema({ name: 'ChangePassword', description: 'Current and new password.' })
export class ChangePasswordDto {
  @ApiProperty({
    description: 'Current password.',
    example: 'current horse battery staple',
    format: 'password',
    minLength: 1,
    maxLength: maxCheckedPasswordLength,
  })
  @HasLength(1, maxCheckedPasswordLength)
  currentPassword: string;

  @NewPassword({ description: 'New password, 12–256 characters, not easy to guess.' })
  newPassword: string;
}
