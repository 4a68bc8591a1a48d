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
 * @returns all that is wrong, as sentences without the name of the field; none if it's allowed
 */
export function findUrlProblems(text: string, networks: AllowedNetworks): string[] {
  if (text.length > maxUrlLength || !URL.canParse(text))
    return [`must be a URL of at most ${maxUrlLength} characters.`];
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  const protocols = networks.length > 0 ? ['https:', 'http:'] : ['https:'];
  const hasProtocol = protocols.includes(protocol);
  const host = hostname.replace(/^\[|\]$/g, '');
  // The address of a URL with another protocol is checked like that of the right one.
  const isForbiddenAddress = isIP(host) !== 0 && !isAllowed(host, hasProtocol ? protocol : 'https:', networks);
  const problems: [isProblem: boolean, sentence: string][] = [
    [!hasProtocol, `must begin with ${protocols.map((name) => `${name}//`).join(' or ')}.`],
    [username !== '' || password !== '', 'must not contain a user name or password.'],
    [hash !== '', 'must not have a fragment.'],
    // Ports below 1024 belong to services that receive no webhooks, such as mail.
    [port !== '' && Number(port) < 1024 && port !== '80', 'must use port 443, 80, or 1024 or higher.'],
    [isForbiddenAddress, 'must have a public IP address, or one of WEBHOOK_ALLOWED_NETWORKS, which the operator sets.'],
  ];
  return problems.flatMap(([isProblem, sentence]) => (isProblem ? [sentence] : []));
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
