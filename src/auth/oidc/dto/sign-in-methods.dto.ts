import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'IdentityProvider', description: 'The identity provider.' })
class IdentityProviderDto {
  @ApiProperty({ description: 'Host of the provider.', example: 'id.example.com', minLength: 1 })
  name: string;

  @ApiProperty({
    description: 'Path to send the browser to, with `?returnTo=` and the path to return to.',
    example: '/auth/oidc/start',
    pattern: '^/',
  })
  startUrl: string;
}

@ApiSchema({ name: 'SignInMethods', description: 'Available sign-in methods.' })
export class SignInMethodsDto {
  @ApiProperty({ description: 'Whether `POST /auth/sign-in` accepts an email and a password.', example: true })
  password: boolean;

  @ApiProperty({ description: 'Whether `POST /auth/request-password-reset` mails links.', example: true })
  passwordReset: boolean;

  @ApiProperty({ description: 'Whether Keycard sends mail.', example: true })
  mail: boolean;

  @ApiProperty({
    type: IdentityProviderDto,
    nullable: true,
    description: 'The identity provider; null if there is none.',
  })
  oidc: IdentityProviderDto | null;
}
