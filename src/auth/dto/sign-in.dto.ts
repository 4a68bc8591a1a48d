import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { HasCodePoints } from '../../common/validation/field-decorators.js';

@ApiSchema({ name: 'SignIn', description: 'The credentials of an account.' })
export class SignInDto {
  @ApiProperty({
    description: 'Email of the account, case-insensitive.',
    example: 'admin@keycard.local',
    minLength: 3,
    maxLength: 254,
  })
  @HasCodePoints(3, 254)
  email: string;

  @ApiProperty({ description: 'Password of the account.', example: 'correct horse battery staple', format: 'password' })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  password: string;
}

@ApiSchema({ name: 'AccessToken', description: 'A token for the management routes.' })
export class AccessTokenDto {
  @ApiProperty({
    description: 'The JWT: send it as `Authorization: Bearer <accessToken>`.',
    example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl',
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
  })
  accessToken: string;

  @ApiProperty({ description: 'How to send the token.', enum: ['Bearer'], example: 'Bearer' })
  tokenType: 'Bearer';

  @ApiProperty({
    type: 'integer',
    description: 'How long the token is valid, in seconds.',
    example: 900,
    minimum: 60,
    maximum: 86_400,
  })
  expiresIn: number;
}
