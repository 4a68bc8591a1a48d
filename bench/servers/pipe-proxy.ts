import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

/** Starts the least that a proxy can be: two sockets joined by `pipe`, and nothing read. */
async function start({ upstreamUrl }: { upstreamUrl: string }): Promise<Listening> {
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const headers = { 'content-type': 'application/json', 'content-length': request.headers['content-length'] };
    const forwarded = http.request(
      upstreamUrl + (request.url ?? ''),
      { method: 'POST', agent, headers },
      (received) => {
        response.writeHead(received.statusCode ?? 502, { 'content-type': received.headers['content-type'] });
        received.pipe(response);
      },
    );
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

runTasks(start);
