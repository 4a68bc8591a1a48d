import { isIPv4 } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

/** An `HttpOnly` cookie. */
interface HostCookie {
  /** Without prefix. */
  name: string;
  /** Used without the prefix `__Host-`, which requires `/`. */
  path: string;
  sameSite: 'strict' | 'lax';
}

/**
 * The cookie's name for this request. With the prefix `__Host-`, browsers accept the cookie only over TLS and only from
 * this host. Without it, a sibling domain could set a cookie of the same name and sign people in as someone else.
 */
export function hostCookieName(request: FastifyRequest, { name }: HostCookie): string {
  return isPlainLoopback(request) ? name : `__Host-${name}`;
}

/** All values sent for this cookie. More than one means that another site or path set one too. */
export function readHostCookie(request: FastifyRequest, cookie: HostCookie): string[] {
  const name = hostCookieName(request, cookie);
  // Pair by pair, because parsing the whole header would return only the first of several cookies with this name.
  const pairs = request.headers.cookie?.split(';') ?? [];
  return pairs.map((pair) => parseCookie(pair)[name]).filter((value) => value !== undefined);
}

/** Formats the `Set-Cookie` header. An empty value with `maxAgeSeconds` 0 deletes the cookie. */
export function formatHostCookie(
  request: FastifyRequest,
  cookie: HostCookie,
  value: string,
  maxAgeSeconds: number,
): string {
  const secure = !isPlainLoopback(request);
  return stringifySetCookie({
    name: hostCookieName(request, cookie),
    value,
    maxAge: maxAgeSeconds,
    path: secure ? '/' : cookie.path,
    httpOnly: true,
    secure,
    sameSite: cookie.sameSite,
  });
}

/**
 * Whether the request came over plain HTTP on a loopback host. Some browsers drop `Secure` cookies there, and nothing
 * is sent over a network. On other hosts, browsers don't store these cookies without TLS.
 */
export function isPlainLoopback({ protocol, hostname }: FastifyRequest): boolean {
  if (protocol !== 'http') return false;
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
