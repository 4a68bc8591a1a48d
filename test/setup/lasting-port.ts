import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { errorCode } from '../../src/common/errors/error-utils.js';

/**
 * Makes a server listen on a loopback port that it can reuse after a restart. Operating systems don't assign these ports
 * to outgoing connections, unlike the free ports they pick for port 0.
 *
 * @param port the previous port, by default a free one
 * @returns the port
 */
export async function listenOnLastingPort(server: Server, port?: number): Promise<number> {
  for (;;) {
    const candidate = port ?? randomInt(20_000, 30_000);
    server.listen(candidate, '127.0.0.1');
    try {
      await once(server, 'listening');
      return candidate;
    } catch (error) {
      if (port !== undefined || errorCode(error) !== 'EADDRINUSE') throw error;
    }
  }
}
