import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from '../common/http/client-address.js';

/**
 * Parses an IP address or a CIDR range (RFC 4632, RFC 4291).
 *
 * @returns its canonical form, with the bits after the prefix set to zero, or undefined if it's neither
 */
export function normalizeAddressRange(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const parsed = address.includes('%') ? undefined : parseAddress(address);
  if (parsed === undefined || rest.length > 0) return undefined;
  if (prefix === undefined) return parsed.toString();
  const bits = lengthOf(parsed);
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return undefined;
  if (Number(prefix) === bits) return parsed.toString();
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${parsed.toString()}/${prefix}`).toString()}/${prefix}`;
}

/** Whether an IP address is in one of the normalized ranges; false for any other text. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && ranges.some((range) => isInRange(parsed, range));
}

function isInRange(address: Address, range: string): boolean {
  const [start = '', prefix] = range.split('/');
  const network = parseAddress(start);
  if (network === undefined || network.kind() !== address.kind()) return false;
  return address.match(network, prefix === undefined ? lengthOf(network) : Number(prefix));
}

/** In bits. */
const lengthOf = (address: Address) => (address.kind() === 'ipv4' ? 32 : 128);
