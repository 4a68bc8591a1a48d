import ipaddr from 'ipaddr.js';

/** IPv6 as far as it is given out for the public internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses that look public but lead to what a cloud offers to its own machines: that of Azure. */
const cloudServices: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an IP address belongs to the public internet. Loopback, private, link-local, shared, multicast,
 * documentation and reserved ranges do not; nor do IPv6 addresses that stand for an IPv4 one, whichever it is.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || cloudServices.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
