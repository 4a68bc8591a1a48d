import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'AuthorizationUrl', description: 'The URL to sign in at.' })
export class AuthorizationUrlDto {
  @ApiProperty({
    description: 'Page of the identity provider to send the browser to.',
    example: 'https://id.example.com/authorize?client_id=keycard&response_type=code',
    format: 'uri',
  })
  url: string;
}
