import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxEmailLength } from '../../../common/rules/email-address.js';
import { IsEmailAddress } from '../../../common/validation/field-decorators.js';

@ApiSchema({ name: 'RequestPasswordReset', description: 'Account whose password was forgotten.' })
export class RequestPasswordResetDto {
  @ApiProperty({
    description: 'Email of the account.',
    example: 'ada@example.com',
    format: 'email',
    minLength: 3,
    maxLength: maxEmailLength,
  })
  @IsEmailAddress()
  email: string;
}
