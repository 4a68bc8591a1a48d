import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** Values of `error` (RFC 6749 §5.2, and §4.1.2.1 for failures of the service). */
const oauthErrors = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
  'temporarily_unavailable',
  'server_error',
] as const;

export type OAuthErrorCode = (typeof oauthErrors)[number];

@ApiSchema({ name: 'OAuthError', description: 'An error of `POST /auth/token` (RFC 6749 §5.2).' })
export class OAuthErrorDto {
  @ApiProperty({ description: 'Kind of error.', enum: oauthErrors, example: 'invalid_client' })
  error: OAuthErrorCode;

  @ApiProperty({
    description: 'What went wrong and how to fix it.',
    example: 'The client id or the client secret is wrong.',
    minLength: 1,
    pattern: '^[ !#-\\[\\]-~]+$',
  })
  error_description: string;
}
