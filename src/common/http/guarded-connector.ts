import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { errorMessage } from '../errors/error-utils.js';
import { loadUndici } from './load-undici.js';

/** What a guarded connector may connect to. */
export interface GuardRules {
  /** Whether a connection may be made to this IP address and port. */
  isAllowedAddress: (address: string, port: number) => boolean;
  /** All IP addresses of a name. */
  resolveName: (hostname: string) => Promise<string[]>;
  /** For connecting. */
  timeoutSeconds: number;
}

/** Used for host names without an IP address and for forbidden addresses, because callers must not learn which it was. */
export const noAllowedAddress = 'KEYCARD_NO_ALLOWED_ADDRESS';

/**
 * Connects to allowed IP addresses only. A name is resolved once, here, and the checked addresses are the ones connected
 * to, so that it can't resolve to others a moment later. One forbidden address rules out the name.
 */
export function guardedConnector(rules: GuardRules): buildConnector.connector {
  return (options, callback) => {
    findAllowedAddresses(options, rules).then(
      (addresses) => {
        const timeout = rules.timeoutSeconds * 1000;
        const { buildConnector } = loadUndici();
        buildConnector({ lookup: lookupFrom(addresses), timeout, maxCachedSessions: 0 })(options, callback);
      },
      (error: unknown) => callback(Object.assign(new Error(errorMessage(error)), { code: noAllowedAddress }), null),
    );
  };
}

async function findAllowedAddresses(
  { hostname, protocol, port }: buildConnector.Options,
  { isAllowedAddress, resolveName }: GuardRules,
): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  // An IP address needs no lookup.
  const addresses = isIP(host) === 0 ? await resolveName(host) : [host];
  const portNumber = port === '' ? defaultPort(protocol) : Number(port);
  if (addresses.length === 0) throw new Error('The name has no IP address.');
  if (addresses.every((address) => isAllowedAddress(address, portNumber))) return addresses;
  throw new Error('The IP address is not allowed.');
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

function lookupFrom(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all: wantsAll }, callback) => {
    if (wantsAll) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}
