import ipaddr from 'ipaddr.js';

const prefixGroups = 4;

/**
 * What attempts from an address are counted under. Of IPv6 that is the network of 64 bits, since whoever has one
 * address there has all of them; an IPv4 address in IPv6 notation is the same as without.
 */
export function addressRange(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, prefixGroups).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
