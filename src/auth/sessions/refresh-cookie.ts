import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatHostCookie, hostCookieName, isPlainLoopback, readHostCookie } from './host-cookie.js';
import { idleSeconds } from './session-lifetimes.js';
import { sessionMarkName } from './session-mark.js';

/** The cookie that holds the refresh token. */
export const refreshCookie = { name: 'keycard_refresh', path: '/auth', sameSite: 'Strict' } as const;

/** The refresh tokens that the browser sent: one, unless another site or path set a cookie of the same name. */
export function readRefreshTokens(request: FastifyRequest): string[] {
  return readHostCookie(request, refreshCookie).filter((token) => token !== '');
}

/** The name under which this request must send the refresh token. */
export function refreshCookieName(request: FastifyRequest): string {
  return hostCookieName(request, refreshCookie);
}

/**
 * Sets the refresh token, or deletes it when undefined. A second cookie, which scripts can read, shows the dashboard
 * whether there is a session to ask for.
 */
export function setRefreshCookie(request: FastifyRequest, reply: FastifyReply, refreshToken: string | undefined): void {
  const maxAgeSeconds = refreshToken === undefined ? 0 : idleSeconds;
  const mark = [
    `${sessionMarkName}=${refreshToken === undefined ? '' : 'yes'}`,
    `Max-Age=${maxAgeSeconds}`,
    'Path=/',
    'SameSite=Strict',
    ...(isPlainLoopback(request) ? [] : ['Secure']),
  ];
  void reply.header('set-cookie', [
    formatHostCookie(request, refreshCookie, refreshToken ?? '', maxAgeSeconds),
    mark.join('; '),
  ]);
}
