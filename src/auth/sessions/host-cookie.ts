import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** A cookie that no script can read. */
interface HostCookie {
  /** Without prefix. */
  name: string;
  /** Used where the prefix `__Host-` cannot be, which requires `/`. */
  path: string;
  sameSite: 'Strict' | 'Lax';
}

/**
 * The cookie's name for this request. With the prefix `__Host-`, browsers accept the cookie only from this very host
 * over TLS. Without it, any sibling domain could set a cookie of the same name and sign people in as someone else.
 */
export function hostCookieName(request: FastifyRequest, { name }: HostCookie): string {
  return isPlainLoopback(request) ? name : `__Host-${name}`;
}

/** All values that the browser sent for this cookie. More than one means that another site or path set one as well. */
export function readHostCookie(request: FastifyRequest, cookie: HostCookie): string[] {
  const prefix = `${hostCookieName(request, cookie)}=`;
  const pairs = request.headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
}

/** Formats the `Set-Cookie` header; an empty value with `maxAgeSeconds` 0 deletes the cookie. */
export function formatHostCookie(
  request: FastifyRequest,
  cookie: HostCookie,
  value: string,
  maxAgeSeconds: number,
): string {
  const isPlain = isPlainLoopback(request);
  const path = isPlain ? cookie.path : '/';
  const attributes = [`Max-Age=${maxAgeSeconds}`, `Path=${path}`, 'HttpOnly', `SameSite=${cookie.sameSite}`];
  return [`${hostCookieName(request, cookie)}=${value}`, ...attributes, ...(isPlain ? [] : ['Secure'])].join('; ');
}

/**
 * Whether the browser talks to its own machine without TLS. Not every browser keeps a `Secure` cookie there, and no
 * one can listen in. Anywhere else, a browser without TLS keeps none of these cookies.
 */
export function isPlainLoopback({ protocol, hostname }: FastifyRequest): boolean {
  if (protocol !== 'http') return false;
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
