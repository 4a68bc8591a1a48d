import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is allocated for the public internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public addresses that lead to services of a cloud for its own machines: Azure's. */
const cloudServices: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an IP address belongs to the public internet. Loopback, private, link-local, shared, multicast,
 * documentation and reserved ranges don't, nor do IPv6 addresses that stand for an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || cloudServices.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

const lookupTimeoutMilliseconds = 3000;

/**
 * The IP addresses of a name in DNS; empty if it has none. The system's own lookup isn't used: a slow name server could
 * block all of its threads, which the whole process shares, and it completes short names to names of the local network.
 */
export async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: lookupTimeoutMilliseconds, tries: 2 });
  const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []));
}
