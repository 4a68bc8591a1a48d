import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { errorCode } from '../../src/common/errors/error-facts.js';

/**
 * Lets a server listen on loopback, on a port that is free again when it has stopped: no system gives away any of these
 * by itself, whereas one of the usual free ports may be that of somebody's outgoing connection a moment later.
 *
 * @param port the one that it had before; by default a free one
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
