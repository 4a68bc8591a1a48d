import type { RequestListener, ServerResponse } from 'node:http';

const json = { 'content-type': 'application/json' };

const send =
  (status: number, headers: Record<string, string>, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

/** Writes whenever the client has read, until it disconnects. */
function sendForever(response: ServerResponse, text: string): void {
  const write = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', write);
  write();
}

/** Ways for a provider to fail to respond with a JSON object. */
export const providerFaults = {
  'an error': send(500, json, '{}'),
  'too many requests': send(429, json, '{}'),
  HTML: send(200, { 'content-type': 'text/html' }, '<p>Down for maintenance</p>'),
  'a redirect': send(302, { location: '/elsewhere', ...json }, '{}'),
  'an array': send(200, json, '[]'),
  'half a document': send(200, json, '{"sub":'),
  nothing: send(200, json, ''),
  'an endless body': (_request, response) => {
    response.writeHead(200, json);
    sendForever(response, `{"padding":"${'x'.repeat(65_536)}"`);
  },
  'one byte at a time': (_request, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  silence: (request) => request.resume(),
  'a closed connection': (request) => request.socket.destroy(),
} satisfies Record<string, RequestListener>;
