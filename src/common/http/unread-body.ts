import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How much of a refused request's body is still read, so that its sender gets to see the answer. */
const unreadBodyBytes = 256 * 1024;
const lingerMilliseconds = 1000;

/**
 * Bounds what is read of a body after its request was answered without it, as with an invalid key. Left alone,
 * Node reads the whole rest to keep the connection usable. Closing at once would be worse the other way: the
 * sender, still writing, gets a reset and may never see the answer. So a little is read, then the connection ends.
 */
export function boundUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (!request.raw.complete) discard(request.raw);
    done(null, payload);
  });
}

function discard(request: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds).unref();
  const stop = () => clearTimeout(timer);
  // Whoever was reading it has given it up.
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > unreadBodyBytes) request.socket.destroy();
  });
  request.once('end', stop);
  request.once('close', stop);
  // One that was read in part is paused.
  request.resume();
}
