import type { FastifyReply } from 'fastify';

/** Why work was given up: its client has gone. Nobody is answered, and nothing reported. */
export class ClientGoneError extends Error {
  override name = 'AbortError';
}

/** Aborted when the client goes away before it was answered. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
