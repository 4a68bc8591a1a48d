import type { CallResponse } from './call.js';

const name = 'keycard_refresh';

/** Returns the headers of a browser with this refresh token. */
export function withRefreshToken(refreshToken: string): Record<string, string> {
  return { cookie: `${name}=${refreshToken}` };
}

/** Returns the refresh token a response sets: empty if it clears the cookie, undefined if it doesn't set it. */
export function refreshTokenOf({ headers }: CallResponse): string | undefined {
  return new RegExp(`^${name}=([^;]*)`).exec(headers.get('set-cookie') ?? '')?.[1];
}
