import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';

const requestTimeoutMilliseconds = 10_000;

/** Returns metrics in Prometheus' text format. */
type ReadMetrics = () => Promise<string>;

export interface MetricsServer {
  /** Such as `http://127.0.0.1:9090/metrics`. */
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves metrics over HTTP.
 *
 * @throws StartupError if the port can't be listened on
 */
export async function serveMetrics(
  read: ReadMetrics,
  { host, port }: { host: string; port: number },
  logger: Logger,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: requestTimeoutMilliseconds }, (request, response) => {
    respond(request, response, read).catch((error: unknown) => {
      logger.error({ err: error }, 'Metrics could not be read.');
      response.writeHead(500).end();
    });
  });
  const url = await listen(server, host, port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'EADDRINUSE' ? 'is in use by another process' : `can't be used (${code})`;
    throw new StartupError(`METRICS_PORT ${port} on ${host} ${reason}; set another METRICS_PORT.`);
  }
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}/metrics`;
}

async function respond({ method, url }: IncomingMessage, response: ServerResponse, read: ReadMetrics): Promise<void> {
  if (url?.split('?')[0] !== '/metrics') {
    response.writeHead(404).end();
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } else {
    const text = await read();
    response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
  }
}
