import type { Answer } from './call.js';

const name = 'keycard_refresh';

/** The headers of a browser that holds this refresh token. */
export function withRefreshToken(refreshToken: string): Record<string, string> {
  return { cookie: `${name}=${refreshToken}` };
}

/** The refresh token that an answer sets; empty when it takes the cookie away, undefined when it leaves it alone. */
export function refreshTokenOf({ headers }: Answer): string | undefined {
  return new RegExp(`^${name}=([^;]*)`).exec(headers.get('set-cookie') ?? '')?.[1];
}
