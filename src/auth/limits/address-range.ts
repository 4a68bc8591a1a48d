import ipaddr from 'ipaddr.js';
import { parseAddress, unknownAddress } from '../../common/http/client-address.js';

/** A network whose attempts are counted together. */
interface AddressRange {
  /** The IPv4 address, or the IPv6 network in CIDR notation. */
  range: string;
  /** Multiplies the limit of a single IP address. */
  factor: number;
}

/** Providers assign a /64, /56 or /48 to a customer, but several customers may share a wider one. */
const ipv6Networks = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
];

/** All factors in use. */
export const rangeFactors = ipv6Networks.map(({ factor }) => factor);

/**
 * The narrowest range an IP address counts under: for IPv6 its /64 network, because one customer has all of its
 * addresses. IPv4-mapped IPv6 addresses count as IPv4, and everything that is not an IP address counts together.
 */
export function addressRange(address: string): string {
  return addressRanges(address)[0]?.range ?? unknownAddress;
}

/** All ranges an IP address counts under, narrowest first. */
export function addressRanges(address: string): AddressRange[] {
  const parsed = parseAddress(address);
  if (parsed === undefined) return [{ range: unknownAddress, factor: 1 }];
  if (!(parsed instanceof ipaddr.IPv6)) return [{ range: parsed.toString(), factor: 1 }];
  return ipv6Networks.map(({ bits, factor }) => ({ range: networkOf(parsed, bits), factor }));
}

/** The network in CIDR notation, such as `2001:db8:1:200::/56`. */
function networkOf({ parts }: ipaddr.IPv6, bits: number): string {
  const groups = parts.slice(0, Math.ceil(bits / 16)).map((group, index) => {
    const bitsOfGroup = Math.min(16, bits - index * 16);
    return (group & (0xffff << (16 - bitsOfGroup)) & 0xffff).toString(16);
  });
  return `${groups.join(':')}::/${bits}`;
}
