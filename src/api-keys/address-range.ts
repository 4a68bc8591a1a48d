import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IP address or a CIDR range (RFC 4632, RFC 4291).
 *
 * @returns its canonical form, with the bits after the prefix set to zero, or undefined if it's neither
 */
export function normalizeAddressRange(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || !isAddress(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (prefix === undefined) return parsed.toString();
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return undefined;
  if (Number(prefix) === bits) return parsed.toString();
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${parsed.toString()}/${prefix}`).toString()}/${prefix}`;
}

/** Whether an IP address is in one of the normalized ranges. IPv4 addresses mapped to IPv6 count as IPv4. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : wholeAddress(ipaddr.parse(range));
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  });
}

const wholeAddress = (address: Address): [Address, number] => [address, address.kind() === 'ipv4' ? 32 : 128];

/** Excludes zones (`fe80::1%eth0`), and IPv4 addresses with fewer parts or in octal. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'));
}

/** The canonical form of an IP address without its zone, or null if it's none, such as a forwarded name. */
export function normalizeAddress(address: string): string | null {
  if (isIPv4(address)) return address;
  const [withoutZone = ''] = address.split('%');
  return isAddress(withoutZone) ? ipaddr.process(withoutZone).toString() : null;
}
