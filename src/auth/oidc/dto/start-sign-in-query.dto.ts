import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';

const maxPathLength = 1024;

/** Whether the value is a path on this server. Browsers treat `//host` and `/\host` as other hosts. */
function isOwnPath(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxPathLength) return false;
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value);
}

export class StartSignInQueryDto {
  @ApiPropertyOptional({
    type: 'string',
    description: 'Path on this server to return to after the sign-in, such as `/dashboard/keys?page=2`.',
    default: '/',
    maxLength: maxPathLength,
    pattern: '^/(?!/)[\\x21-\\x5b\\x5d-\\x7e]*$',
  })
  @ValidateBy({
    name: 'isOwnPath',
    validator: {
      validate: isOwnPath,
      defaultMessage: () => `returnTo must be a path on this server, of at most ${maxPathLength} characters`,
    },
  })
  returnTo = '/';
}
