import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * What `read` makes of the body of a real request, which arrives in these pieces.
 *
 * @param hangsUp whether the client is gone after the last piece; otherwise it stays, silent
 */
export async function readBody<Result>(
  read: (request: IncomingMessage) => Promise<Result>,
  headers: Record<string, string>,
  pieces: readonly (string | Buffer)[],
  { hangsUp = false } = {},
): Promise<Result> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // The server hanging up is part of what is tested.
  client.on('error', () => undefined);
  try {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    client.write(`POST / HTTP/1.1\r\nhost: keycard\r\n${lines.join('')}\r\n`);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    void send(client, pieces, hangsUp);
    return await read(request);
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

/** Each piece in a packet of its own. */
async function send(client: Socket, pieces: readonly (string | Buffer)[], hangsUp: boolean): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => client.write(piece, () => setImmediate(resolve)));
  if (hangsUp) client.destroy();
}
