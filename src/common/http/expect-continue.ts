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

/** Asks the client for the body if it is waiting to be asked. */
export function sendContinue(body: Readable): void {
  const response = waiting.get(body);
  if (response === undefined || response.headersSent) return;
  waiting.delete(body);
  response.writeContinue();
}
