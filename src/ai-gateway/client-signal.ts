import type { FastifyReply } from 'fastify';

/** The client has disconnected: there is no one to respond to, and nothing to report. */
export class ClientGoneError extends Error {
  override name = 'AbortError';
}

/** Aborted if the client disconnects before the response is complete. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
