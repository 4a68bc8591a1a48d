import { isIPv4 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idleSeconds } from './session-lifetimes.js';
import { sessionMarkName } from './session-mark.js';

/** The cookie that holds the refresh token. Scripts cannot read it, and only `/auth` gets to see it. */
export const refreshCookieName = 'keycard_refresh';

/** The refresh token that the browser sent; undefined without one. */
export function readRefreshCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, refreshCookieName);
}

/** The value of a cookie that the browser sent; undefined without one. */
export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const prefix = `${name}=`;
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/**
 * Gives the browser a refresh token to keep, or takes it away when undefined. A mark beside it, which scripts can read,
 * tells the dashboard whether there is a session to ask for.
 */
export function setRefreshCookie(request: FastifyRequest, reply: FastifyReply, refreshToken: string | undefined): void {
  const maxAge = `Max-Age=${refreshToken === undefined ? 0 : idleSeconds}`;
  const sameSite = ['SameSite=Strict', ...(isPlainLoopback(request) ? [] : ['Secure'])];
  const cookies = [
    [`${refreshCookieName}=${refreshToken ?? ''}`, maxAge, 'Path=/auth', 'HttpOnly', ...sameSite],
    [`${sessionMarkName}=${refreshToken === undefined ? '' : 'yes'}`, maxAge, 'Path=/', ...sameSite],
  ];
  void reply.header(
    'set-cookie',
    cookies.map((attributes) => attributes.join('; ')),
  );
}

/**
 * Whether the browser talks to its own machine without TLS: there is no wire to listen on, and not every browser
 * would keep a `Secure` cookie. Anywhere else a browser without TLS does not keep the cookie at all.
 */
export function isPlainLoopback({ protocol, hostname }: FastifyRequest): boolean {
  if (protocol !== 'http') return false;
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
