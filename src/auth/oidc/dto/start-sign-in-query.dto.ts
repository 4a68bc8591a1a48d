import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';

const longestPath = 1024;

/** A path on this server: nothing that a browser would take for another host, as `//host` and `/\host` are. */
function isOwnPath(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > longestPath) return false;
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value);
}

export class StartSignInQueryDto {
  @ApiPropertyOptional({
    type: 'string',
    description: 'Path of the page to show afterwards, on this server.',
    example: '/dashboard/keys?page=2',
    default: '/',
    maxLength: longestPath,
    pattern: '^/(?!/)[\\x21-\\x5b\\x5d-\\x7e]*$',
  })
  @ValidateBy({
    name: 'isOwnPath',
    validator: {
      validate: isOwnPath,
      defaultMessage: () => `returnTo must be a path on this server, of at most ${longestPath} characters`,
    },
  })
  returnTo = '/';
}
