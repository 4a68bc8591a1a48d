import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'BackchannelLogout', description: 'Logout request from the identity provider.' })
export class LogoutTokenDto {
  @ApiProperty({
    description: 'Logout token (OpenID Connect Back-Channel Logout 1.0 §2.4).',
    example: 'eyJ0eXAiOiJsb2dvdXQrand0IiwiYWxnIjoiUlMyNTYifQ.eyJzaWQiOiIwOGE1In0.c2lnbmF0dXJl',
    minLength: 1,
    maxLength: 16_384,
  })
  logout_token: string;
}
