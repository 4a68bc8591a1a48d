import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';

@ApiSchema({
  name: 'TokenRequest',
  description: 'Request for an access token (RFC 6749 §4.4). Other fields are ignored.',
})
export class TokenRequestDto {
  @ApiProperty({ description: 'Grant type.', enum: ['client_credentials'], example: 'client_credentials' })
  grant_type: 'client_credentials';

  @ApiPropertyOptional({
    description: '`clientId` of the service account. Omit it with HTTP Basic.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  client_id?: string;

  @ApiPropertyOptional({
    description: '`clientSecret` of the service account. Omit it with HTTP Basic.',
    example: 'kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM',
    format: 'password',
  })
  client_secret?: string;
}

@ApiSchema({ name: 'TokenResponse', description: 'Access token of a service account (RFC 6749 §5.1).' })
export class TokenResponseDto {
  @ApiProperty({
    description: 'JWT, to be sent as `Authorization: Bearer <access_token>`.',
    example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl',
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
  })
  access_token: string;

  @ApiProperty({ description: 'Token type.', enum: ['Bearer'], example: 'Bearer' })
  token_type: 'Bearer';

  @ApiProperty({
    type: 'integer',
    description: 'Lifetime of the token, in seconds.',
    example: 900,
    minimum: 60,
    maximum: 86_400,
  })
  expires_in: number;
}
