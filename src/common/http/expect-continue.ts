import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

const waiting = new WeakMap<Readable, ServerResponse>();

/** Defers `100 Continue` until the body is read, so that a rejected client never sends it. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Sends `100 Continue` if the client is waiting for it. */
export function sendContinue(body: Readable): void {
  const response = waiting.get(body);
  if (response === undefined || response.headersSent) return;
  waiting.delete(body);
  response.writeContinue();
}
