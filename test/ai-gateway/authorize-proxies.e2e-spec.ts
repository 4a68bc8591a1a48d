import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'yaml';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import { codesOf, isInstalled, reverseProxies, startReverseProxy } from '../setup/reverse-proxies.js';
import { respondWithJson, startUpstream } from '../setup/upstream.js';
import { useStarted, useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { services: ['search'], trustProxy: ['127.0.0.1'] } });
/** The service behind the proxies. */
const search = useStarted(() => startUpstream());
/** Keycard as the proxies see it. */
const keycard = useStarted(startSwitch);
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  keycard.respond = undefined;
  search.requests.length = 0;
  search.respond = (response) => response.end('found');
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

type Respond = (response: ServerResponse) => unknown;

/** Starts a server that forwards requests to Keycard, unless a test responds to them. */
async function startSwitch() {
  const server = createServer((incoming, response) => {
    if (keycard.respond === undefined) forward(incoming, response);
    else keycard.respond(response);
  });
  const port = await listenOnLastingPort(server);
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const start = () => listenOnLastingPort(server, port);
  return { port, respond: undefined as Respond | undefined, start, stop };
}

function forward({ url = '', method, headers }: IncomingMessage, response: ServerResponse): void {
  const forwarded = request(service.url + url, { method, headers }, (received) => {
    response.writeHead(received.statusCode ?? 0, received.headers);
    received.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  forwarded.end();
}

/** From RFC 6455. */
const [webSocketKey, webSocketAccept] = ['dGhlIHNhbXBsZSBub25jZQ==', 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='];

/** Accepts WebSockets, and closes them. */
async function startWebSocketService() {
  const server = createServer();
  server.on('upgrade', ({ headers }, socket) => {
    started.received = headers;
    const accept = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${webSocketAccept}`;
    socket.end(`HTTP/1.1 101 Switching Protocols\r\n${accept}\r\n\r\n`);
  });
  const port = await listenOnLastingPort(server);
  const stop = async () => {
    server.close();
    await once(server, 'close');
  };
  const started = { port, received: undefined as IncomingHttpHeaders | undefined, stop };
  return started;
}

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The IP address of the client, in 127.0.0.0/8. */
  address?: string;
}

/** Sends a request through a proxy. */
async function send(port: number, { method = 'GET', path = '/', headers = {}, body, address }: Sent) {
  const client = request({ port, host: '127.0.0.1', localAddress: address, method, path, headers, agent: false });
  client.end(body);
  const [response] = (await once(client, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

const change = (body: object) => call(service.url, `PATCH /api-keys/${apiKey.id}`, { token: member.token, body });
const useXApiKey = (key: string): Record<string, string> => ({ 'x-api-key': key });
const useBearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

const [id, name, organizationId] = ['x-keycard-key-id', 'x-keycard-key-name', 'x-keycard-organization-id'] as const;
const identity = () => [
  ['HTTP_X_KEYCARD_KEY_ID', apiKey.id],
  ['HTTP_X_KEYCARD_KEY_NAME', 'A%20key'],
  ['HTTP_X_KEYCARD_ORGANIZATION_ID', member.organizationId],
];

/** All spellings of a header name with these separators. */
function spell(header: string, separators: string[]): string[] {
  const [first = '', ...others] = header.split('-');
  return others.reduce(
    (spellings, part) => spellings.flatMap((spelling) => separators.map((separator) => spelling + separator + part)),
    [first],
  );
}

/** The headers as CGI, WSGI and PHP pass them, which don't distinguish separators. */
function identityVariables(headers: IncomingHttpHeaders = {}) {
  return Object.entries(headers)
    .map(([header, value]) => [`HTTP_${header.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`, value] as const)
    .filter(([variable]) => variable.startsWith('HTTP_X_KEYCARD'))
    .sort();
}

const identityOf = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).filter(([name]) => /^x[-_]keycard|^authorization$|^x-api-key$/.test(name));

for (const proxy of reverseProxies) {
  const isSkipped = !isInstalled(proxy);
  const title = `${proxy.name} as configured in docs/authorize.md${isSkipped ? ` (${proxy.program} is not installed)` : ''}`;
  (isSkipped ? describe.skip : describe)(title, () => {
    const started = useStarted(() => {
      const { port } = new URL(search.baseUrl);
      return startReverseProxy(proxy, { keycard: `127.0.0.1:${keycard.port}`, service: `127.0.0.1:${port}` });
    });
    const sendKey = (sent: Sent = {}) =>
      send(started.port, { ...sent, headers: { ...useXApiKey(apiKey.key), ...sent.headers } });

    it('should forward a request with the identity of its key, without the key', async () => {
      for (const headers of [useXApiKey(apiKey.key), useBearer(apiKey.key)]) {
        const sent = { method: 'POST', path: '/items?q=a%20b', body: 'the body', headers };
        expect(await send(started.port, sent)).toMatchObject({ status: 200, text: 'found' });
        const received = search.requests.pop();
        expect([received?.url, received?.body?.toString()]).toEqual(['/items?q=a%20b', 'the body']);
        expect(Object.fromEntries(identityOf(received?.headers ?? {}))).toEqual({
          'x-keycard-key-id': apiKey.id,
          'x-keycard-key-name': 'A%20key',
          'x-keycard-organization-id': member.organizationId,
        });
      }
    });

    it.each(['-', '_', '.', '!', '~'])(
      'should never forward an identity that the client claims, with %s',
      async (other) => {
        const spellings = [id, name, organizationId].flatMap((header) => spell(header, ['-', other]));
        const headers = Object.fromEntries(spellings.map((spelling) => [spelling, 'claimed']));
        expect((await sendKey({ headers })).status).toBe(200);
        expect(identityVariables(search.requests[0]?.headers)).toEqual(identity());
      },
    );

    it.each([
      'X-Keycard-Key-Id',
      'close, x-keycard-key-id,X-Keycard-Key-Name, x-keycard-organization-id',
      'keep-alive, X-KEYCARD-ORGANIZATION-ID',
      'te, x-keycard-key-name',
    ])('should forward the identity despite Connection: %s', async (connection) => {
      expect((await sendKey({ headers: { connection } })).status).toBe(200);
      const [received] = search.requests;
      expect(identityVariables(received?.headers)).toEqual(identity());
      // The next proxy would remove what it names.
      expect(received?.headers.connection ?? '').not.toMatch(/keycard/i);
    });

    if (proxy.forwardsWebSockets) {
      it('should forward WebSockets with the identity of the key', async () => {
        const webSockets = await startWebSocketService();
        const hosts = { keycard: `127.0.0.1:${keycard.port}`, service: `127.0.0.1:${webSockets.port}` };
        const { port, stop } = await startReverseProxy(proxy, hosts);
        const handshake = { upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': webSocketKey };
        const headers = { ...useXApiKey(apiKey.key), ...handshake, connection: 'Upgrade, X-Keycard-Key-Id' };
        const client = request({ port, host: '127.0.0.1', headers }).end();
        const [, socket] = (await once(client, 'upgrade')) as [IncomingMessage, Socket];
        expect(identityVariables(webSockets.received)).toEqual(identity());
        socket.destroy();
        await stop();
        await webSockets.stop();
      });
    }

    it('should not hide the address of the client because of Connection', async () => {
      await change({ addresses: ['127.0.0.1'] });
      const headers = { connection: 'X-Forwarded-For' };
      expect((await sendKey({ headers, address: '127.0.0.2' })).status).toBe(403);
      expect(search.requests).toEqual([]);
    });

    it('should return 401 with the challenge for a missing, unknown or just deleted key', async () => {
      const { id, key } = await createApiKey(service, member);
      expect((await send(started.port, { headers: useBearer(key) })).status).toBe(200);
      await call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
      for (const headers of [undefined, useBearer(generateApiKey()), useBearer(key)]) {
        const response = await send(started.port, { headers });
        expect(response.status).toBe(401);
        expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="keycard"/);
      }
      expect(search.requests).toHaveLength(1);
    });

    it('should return 403 for a key that is disabled or may not use the service', async () => {
      await change({ models: ['tesseract'] });
      expect((await sendKey()).status).toBe(403);
      await change({ models: ['search'] });
      expect((await sendKey()).status).toBe(200);
      await change({ enabled: false });
      expect((await sendKey()).status).toBe(403);
      expect(search.requests).toHaveLength(1);
    });

    it('should check the address of its client, which a header cannot forge', async () => {
      await change({ addresses: ['127.0.0.2'] });
      expect((await sendKey({ address: '127.0.0.2' })).status).toBe(200);
      expect((await sendKey({ headers: { 'x-forwarded-for': '127.0.0.2' } })).status).toBe(403);
    });

    it('should return 429 with the rate limits of the key once they are reached', async () => {
      await change({ limits: [{ metric: 'requests', per: 'hour', max: 1 }] });
      expect((await sendKey()).status).toBe(200);
      const { status, headers } = await sendKey();
      expect(status).toBe(429);
      expect(headers['retry-after']).toMatch(/^\d+$/);
      expect(headers['ratelimit']).toMatch(/^"key-requests-hour";r=0;t=\d+$/);
      expect(headers['ratelimit-policy']).toBe('"key-requests-hour";q=1;w=3600');
      expect(search.requests).toHaveLength(1);
    });

    it('should return 429 and 503 with Retry-After and rate limits', async () => {
      for (const status of [429, 503]) {
        const headers = { 'retry-after': '7', ratelimit: '"minute";r=0;t=7', 'ratelimit-policy': '"minute";q=5;w=60' };
        keycard.respond = (response) => respondWithJson(response, status, '{}', headers);
        const response = await sendKey({ method: 'POST', body: 'the body' });
        expect(response).toMatchObject({ status, headers });
      }
      expect(search.requests).toEqual([]);
    });

    it.each([400, 404, 408, 431, 500])('should not forward a request after a %i', async (status) => {
      keycard.respond = (response) => respondWithJson(response, status, '{}');
      expect((await sendKey()).status).toBeGreaterThanOrEqual(400);
      expect(search.requests).toEqual([]);
    });

    it('should not forward a request while Keycard is down, silent, or breaks the connection', async () => {
      await keycard.stop();
      const whileDown = await sendKey();
      await keycard.start();
      keycard.respond = (response) => response.destroy();
      const afterBreak = await sendKey();
      let asked = 0;
      keycard.respond = () => asked++;
      const whileSilent = await sendKey();
      for (const { status } of [whileDown, afterBreak, whileSilent]) expect(status).toBeGreaterThanOrEqual(500);
      expect(search.requests).toEqual([]);
      // Each would be counted.
      expect(asked).toBe(1);
      keycard.respond = undefined;
      expect((await sendKey()).status).toBe(200);
    });

    it('should forward errors of the service unchanged', async () => {
      search.respond = (response) => respondWithJson(response, 500, '{"error":"of the service"}');
      expect(await sendKey()).toMatchObject({ status: 500, text: '{"error":"of the service"}' });
    });
  });
}

describe('The Envoy and Traefik configurations in docs/authorize.md', () => {
  it.each(['Envoy', 'Traefik'])('should be valid YAML: %s', (heading) => {
    const files = codesOf(heading, 'yaml');
    expect(files).not.toEqual([]);
    for (const file of files) expect(parse(file)).toEqual(expect.any(Object));
  });

  // Traefik's documentation of `aliasHeadersStrategy` and `forwardAuth` explains what these settings do.
  it('should remove every other spelling of the identity, and take it from Keycard: Traefik', () => {
    const [installation = '', routing = ''] = codesOf('Traefik', 'yaml');
    const { entryPoints } = parse(installation) as TraefikInstallation;
    const { routers, middlewares } = (parse(routing) as TraefikRouting).http;
    for (const router of Object.values(routers)) {
      expect(router.entryPoints).not.toEqual([]);
      for (const name of router.entryPoints) expect(entryPoints[name]?.http.aliasHeadersStrategy).toBe('delete');
      const [first = ''] = router.middlewares;
      const { authResponseHeaders = [], trustForwardHeader } = middlewares[first]?.forwardAuth ?? {};
      expect(authResponseHeaders.map((header) => header.toLowerCase())).toEqual([id, name, organizationId]);
      expect(trustForwardHeader).toBeUndefined();
    }
  });
});

interface TraefikInstallation {
  entryPoints: Record<string, { http: { aliasHeadersStrategy?: string } }>;
}

interface TraefikRouting {
  http: {
    routers: Record<string, { entryPoints: string[]; middlewares: string[] }>;
    middlewares: Record<string, { forwardAuth?: { authResponseHeaders?: string[]; trustForwardHeader?: boolean } }>;
  };
}
