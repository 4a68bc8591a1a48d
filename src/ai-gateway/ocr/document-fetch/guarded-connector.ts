import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { FetchRules } from './fetch-rules.js';

type GuardRules = Pick<FetchRules, 'isAllowedAddress' | 'resolveName' | 'timeoutSeconds'>;

/**
 * Opens connections to allowed addresses only. The addresses that were checked are the ones connected to: a name is
 * looked up once, here, so that it cannot mean something else a moment later. One address that is not allowed rules
 * out the name.
 */
export function guardedConnector(rules: GuardRules): buildConnector.connector {
  return (options, callback) => {
    allowedAddresses(options, rules).then(
      (addresses) => {
        const timeout = rules.timeoutSeconds * 1000;
        buildConnector({ lookup: answerWith(addresses), timeout, maxCachedSessions: 0 })(options, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}

async function allowedAddresses(
  { hostname, protocol, port }: buildConnector.Options,
  { isAllowedAddress, resolveName }: GuardRules,
): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  // A host that is an address already is connected to without a look-up.
  const addresses = isIP(host) === 0 ? await resolveName(host) : [host];
  const portNumber = port === '' ? defaultPort(protocol) : Number(port);
  if (addresses.length === 0) throw new Error('The name has no address.');
  if (addresses.every((address) => isAllowedAddress(address, portNumber))) return addresses;
  throw new Error('The address is not allowed.');
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

function answerWith(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all: wantsAll }, callback) => {
    if (wantsAll) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}
