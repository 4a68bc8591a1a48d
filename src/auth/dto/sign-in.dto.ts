import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxEmailLength } from '../../common/rules/email-address.js';
import { maxCheckedPasswordLength } from '../../common/rules/text-rules.js';
import { HasCodePoints, HasLength } from '../../common/validation/field-decorators.js';

@ApiSchema({ name: 'SignIn', description: 'Email and password.' })
export class SignInDto {
  @ApiProperty({
    description: 'Email of the account, case-insensitive.',
    example: 'admin@keycard.local',
    minLength: 3,
    maxLength: maxEmailLength,
  })
  @HasCodePoints(3, maxEmailLength)
  email: string;

  @ApiProperty({
    description: 'Password of the account.',
    example: 'correct horse battery staple',
    format: 'password',
    minLength: 1,
    maxLength: maxCheckedPasswordLength,
  })
  @HasLength(1, maxCheckedPasswordLength)
  password: string;
}

@ApiSchema({ name: 'AccessToken', description: 'Access token for the management API.' })
export class AccessTokenDto {
  @ApiProperty({
    description: 'JWT, to be sent as `Authorization: Bearer <accessToken>`.',
    example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl',
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
  })
  accessToken: string;

  @ApiProperty({ description: 'Token type.', enum: ['Bearer'], example: 'Bearer' })
  tokenType: 'Bearer';

  @ApiProperty({
    type: 'integer',
    description: 'Lifetime of the token, in seconds.',
    example: 900,
    minimum: 60,
    maximum: 86_400,
  })
  expiresIn: number;
}
