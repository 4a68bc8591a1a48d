import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { errorCode } from '../errors/error-utils.js';
import { OpenConnections } from './open-connections.js';

/**
 * Listens on a host, for `localhost` on each of its IP addresses. Fastify would create another HTTP server for the second
 * address, without the limits of the first, and a shutdown wouldn't close it.
 *
 * @returns the URL, such as `http://127.0.0.1:3000`
 * @throws system errors, such as `EADDRINUSE`
 */
export async function listenOn(fastify: FastifyInstance, host: string, port: number): Promise<string> {
  const [first = host, ...others] = host === 'localhost' ? await addressesOf(host) : [];
  const url = await fastify.listen({ host: first, port });
  const samePort = Number(new URL(url).port);
  for (const address of others) {
    await OpenConnections.of(fastify.server).listenAlso(address, samePort).catch(ignoreMissingFamily);
  }
  return url;
}

/** The IP addresses of a host, IPv4 first. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, verbatim: false });
  return [...new Set(found.map(({ address }) => address))];
}

/** `localhost` may have an IPv6 address on a machine without IPv6. */
function ignoreMissingFamily(error: unknown): void {
  if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(error) ?? '')) throw error;
}
