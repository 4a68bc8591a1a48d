import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { GuardRules } from '../common/http/guarded-connector.js';
import { isPublicAddress, resolveName } from '../common/http/public-address.js';

export const maxUrlLength = 2000;

/** Private networks that webhooks may be in, as IP addresses and CIDR ranges. */
export type AllowedNetworks = readonly string[];

/** The host of a URL, for the audit log and events: its path and query may contain credentials. */
export const hostOf = (url: string): string => new URL(url).host;

/**
 * Checks a URL of a webhook, except for the IP addresses of its name, which are checked when connecting.
 *
 * @returns what is wrong, as a sentence without the name of the field; undefined if it's allowed
 */
export function findUrlProblem(text: string, networks: AllowedNetworks): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return `must be a URL of at most ${maxUrlLength} characters.`;
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  const isPlain = protocol === 'http:' && networks.length > 0;
  if (protocol !== 'https:' && !isPlain) {
    return networks.length > 0 ? 'must begin with https:// or http://.' : 'must begin with https://.';
  }
  if (username !== '' || password !== '') return 'must not contain a user name or password.';
  if (hash !== '') return 'must not have a fragment.';
  // Ports below 1024 belong to services that receive no webhooks, such as mail.
  if (port !== '' && Number(port) < 1024 && port !== '80') return 'must use port 443, 80, or 1024 or higher.';
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host, protocol, networks)) {
    return 'must have a public IP address, or one of WEBHOOK_ALLOWED_NETWORKS, which the operator sets.';
  }
  return undefined;
}

/** Where a webhook may be: a public address with https, and the allowed networks with http too. */
export function guardRulesOf(url: URL, networks: AllowedNetworks, timeoutSeconds: number): GuardRules {
  return {
    isAllowedAddress: (address) => isAllowed(address, url.protocol, networks),
    resolveName,
    timeoutSeconds,
  };
}

function isAllowed(address: string, protocol: string, networks: AllowedNetworks): boolean {
  return (protocol === 'https:' && isPublicAddress(address)) || networks.some((network) => isIn(address, network));
}

function isIn(address: string, network: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const [range, bits] = ipaddr.parseCIDR(
    network.includes('/') ? network : `${network}/${isIP(network) === 6 ? 128 : 32}`,
  );
  return parsed.kind() === range.kind() && parsed.match([range, bits] as [ipaddr.IPv4, number]);
}
