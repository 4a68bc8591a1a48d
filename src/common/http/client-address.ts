import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Stands for the client's address if a proxy forwarded something else than an IP address, or one with a port. */
export const unknownAddress = 'unknown';

/**
 * Parses an IP address as strictly as PostgreSQL. ipaddr.js alone also takes other spellings of IPv4 addresses, such as
 * `0xa000001`, `10.1` and `012.0.0.1`. IPv6 addresses lose their zone, and those that map IPv4 addresses become these.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0) return undefined;
  const [withoutZone = ''] = text.split('%');
  // ipaddr.js takes `::10.0.0.1`, an IPv6 address, for `::ffff:10.0.0.1`.
  return ipaddr.process(withoutZone.replace(/^::(?=\d+\.)/, '::0:'));
}

/**
 * The one form of an IP address that is compared, stored and shown. Null if the text is not a plain IP address: clients
 * can write anything into headers that proxies forward.
 */
export function normalizeAddress(text: string): string | null {
  return isIPv4(text) ? text : (parseAddress(text)?.toString() ?? null);
}
