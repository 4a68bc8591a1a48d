import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionMarkName } from '../../common/rules/session-mark.js';
import { formatHostCookie, hostCookieName, isPlainLoopback, readHostCookie } from './host-cookie.js';
import { idleSeconds } from './session-lifetimes.js';

/** The cookie with the refresh token. */
export const refreshCookie = { name: 'keycard_refresh', path: '/auth', sameSite: 'strict' } as const;

/** The refresh tokens in the request: one, unless another site or path set a cookie of the same name. */
export function readRefreshTokens(request: FastifyRequest): string[] {
  return readHostCookie(request, refreshCookie).filter((token) => token !== '');
}

/** The cookie's name for this request. */
export function refreshCookieName(request: FastifyRequest): string {
  return hostCookieName(request, refreshCookie);
}

/**
 * Sets the cookie with the refresh token, or deletes it if undefined. A second cookie, readable by scripts, shows the
 * dashboard whether there may be a session.
 */
export function setRefreshCookie(request: FastifyRequest, reply: FastifyReply, refreshToken: string | undefined): void {
  const maxAge = refreshToken === undefined ? 0 : idleSeconds;
  const mark = stringifySetCookie({
    name: sessionMarkName,
    value: refreshToken === undefined ? '' : 'yes',
    maxAge,
    path: '/',
    secure: !isPlainLoopback(request),
    sameSite: 'strict',
  });
  void reply.header('set-cookie', [formatHostCookie(request, refreshCookie, refreshToken ?? '', maxAge), mark]);
}
