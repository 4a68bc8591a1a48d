import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local server for documents. */
export interface DocumentServer {
  port: number;
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  server: Server;
  /** All requests so far. */
  requests: IncomingMessage[];
  close: () => Promise<void>;
}

/** Starts a server on a loopback address. */
export async function startDocumentServer(listener: RequestListener, host = '127.0.0.1'): Promise<DocumentServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { port, url: `http://${host}:${port}`, server, requests, close };
}
