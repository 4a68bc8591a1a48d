import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** Calls `read` with a real request whose body arrives in these pieces. The client stays connected afterwards. */
export async function readBody<Result>(
  read: (request: IncomingMessage) => Promise<Result>,
  headers: Record<string, string>,
  pieces: readonly (string | Buffer)[],
): Promise<Result> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // The server may close the connection.
  client.on('error', () => undefined);
  const send = async () => {
    // Each piece in a separate packet.
    for (const piece of pieces) await new Promise((resolve) => client.write(piece, () => setImmediate(resolve)));
  };
  try {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    client.write(`POST / HTTP/1.1\r\nhost: keycard\r\n${lines.join('')}\r\n`);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    void send();
    return await read(request);
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}
