import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'IdentityProvider', description: 'An identity provider to sign in through.' })
export class IdentityProviderDto {
  @ApiProperty({ description: 'Host of the provider.', example: 'id.example.com', minLength: 1 })
  name: string;

  @ApiProperty({
    description: 'Where to send the browser, with `?returnTo=` and the path of the page to show afterwards.',
    example: '/auth/oidc/start',
    pattern: '^/',
  })
  startUrl: string;
}

@ApiSchema({ name: 'SignInMethods', description: 'The ways to sign in.' })
export class SignInMethodsDto {
  @ApiProperty({ description: 'Whether `POST /auth/sign-in` accepts an email and a password.', example: true })
  password: boolean;

  @ApiProperty({ type: IdentityProviderDto, nullable: true, description: 'The identity provider; null without one.' })
  oidc: IdentityProviderDto | null;
}
