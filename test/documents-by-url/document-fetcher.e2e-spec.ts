import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { DocumentFetcher } from '../../src/ai-gateway/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules, type FetchRules } from '../../src/ai-gateway/ocr/document-fetch/fetch-rules.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { type DocumentServer, startDocumentServer } from './document-server.js';

const megabyte = 1024 * 1024;
const document = Buffer.from('%PDF-1.7 a document');

/** The only server that may be connected to; the other rules are the defaults. */
let server: DocumentServer;
/** A server that must not be connected to. */
let inside: DocumentServer;

beforeAll(async () => {
  server = await startDocumentServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://documents');
    const redirects = Number(searchParams.get('times'));
    switch (pathname) {
      case '/document':
        return response.setHeader('content-type', searchParams.get('type') ?? 'application/pdf').end(document);
      case '/untyped':
        return response.end(document);
      case '/redirect':
        return response.writeHead(302, { location: searchParams.get('to') ?? '' }).end('an unread body');
      case '/redirects':
        return response.writeHead(307, { location: redirects > 1 ? `?times=${redirects - 1}` : '/document' }).end();
      case '/status':
        return response.writeHead(Number(searchParams.get('code'))).end();
      case '/compressed':
        return response.writeHead(200, { 'content-encoding': 'gzip' }).end(document);
      case '/endless':
        return sendEndlessly(() => response.write(Buffer.alloc(64 * 1024)), response);
      case '/announced':
        return response.writeHead(200, { 'content-length': searchParams.get('size') ?? '' }).write(document);
      case '/cut-off':
        response.writeHead(200, { 'content-length': 1000 }).write(document, () => response.destroy());
        return;
      case '/slow':
        return response.write(document);
      default:
        // Never responds.
        return;
    }
  });
  inside = await startDocumentServer((_request, response) => response.end('a secret'));
});
afterAll(async () => {
  await server.close();
  await inside.close();
});

function sendEndlessly(write: () => boolean, sink: NodeJS.EventEmitter): void {
  let isOpen = true;
  const send = () => {
    while (isOpen && write());
  };
  sink.on('drain', send).once('close', () => (isOpen = false));
  send();
}

const memory = new BodyMemory(100 * megabyte);
const organizationId = 'an organization';

interface Options extends Partial<FetchRules> {
  signal?: AbortSignal;
}

async function fetchDocument(url: string, { signal, ...rules }: Options = {}): Promise<Buffer> {
  const isAllowedAddress = (address: string, port: number) => address === '127.0.0.1' && port === server.port;
  const fetcher = new DocumentFetcher({ ...defaultFetchRules, isAllowedAddress, ...rules });
  const share = memory.open();
  const context = { organizationId, memory: share, signal: signal ?? new AbortController().signal };
  try {
    return await fetcher.fetch(new URL(url), context);
  } finally {
    share.release();
  }
}

const failureOf = (result: Promise<unknown>) => result.then(() => undefined).catch((error: unknown) => error);
/** Resolves when the connection has ended. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
const unreachable = {
  code: 'validation-failed',
  message: 'The document could not be fetched: its server does not respond, or has no public IP address.',
};
const refusal = (message: RegExp) => ({
  code: 'validation-failed',
  message: expect.stringMatching(message) as string,
  fields: [{ field: 'document', message: expect.stringMatching(message) as string }],
});

describe('DocumentFetcher', () => {
  it('should fetch a document without sending credentials or client headers', async () => {
    expect(await fetchDocument(`${server.url}/document`)).toEqual(document);
    expect(server.requests.at(-1)?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'user-agent': 'keycard',
      accept: 'application/pdf, image/*, application/octet-stream;q=0.5',
      'accept-encoding': 'identity',
    });
  });

  it.each(['application/pdf', 'image/png', 'IMAGE/TIFF; q=1', 'application/octet-stream', 'binary/octet-stream'])(
    'should accept a document sent as %s',
    async (type) => {
      const url = `${server.url}/document?type=${encodeURIComponent(type)}`;
      expect(await fetchDocument(url)).toEqual(document);
    },
  );

  it('should accept a document sent without a type', async () => {
    expect(await fetchDocument(`${server.url}/untyped`)).toEqual(document);
  });

  it.each(['text/html', 'text/html; charset=utf-8', 'application/json', 'video/mp4', '<script>'])(
    'should reject a response of type %s',
    async (type) => {
      const failure = await failureOf(fetchDocument(`${server.url}/document?type=${encodeURIComponent(type)}`));
      expect(failure).toMatchObject(refusal(/rather than a PDF or an image/));
      expect(String(failure)).not.toContain('<');
    },
  );

  it.each([204, 206, 401, 404, 500])('should reject a response with status %i', async (status) => {
    const failure = await failureOf(fetchDocument(`${server.url}/status?code=${status}`));
    expect(failure).toMatchObject(refusal(new RegExp(`status ${status}`)));
  });

  it('should reject a compressed response', async () => {
    expect(await failureOf(fetchDocument(`${server.url}/compressed`))).toMatchObject(refusal(/compressed/));
  });

  it('should ignore proxies in the environment', async () => {
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = inside.url;
    try {
      expect(await fetchDocument(`${server.url}/document`)).toEqual(document);
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });
});

describe('The IP addresses that documents are fetched from', () => {
  let connections: Socket[];
  const remember = (socket: Socket) => connections.push(socket);
  beforeEach(() => {
    connections = [];
    inside.server.on('connection', remember);
  });
  afterEach(() => {
    inside.server.off('connection', remember);
    expect(connections).toEqual([]);
  });

  const { isAllowedAddress } = defaultFetchRules;

  it.each([
    ['loopback', '127.0.0.1'],
    ['abbreviated loopback', '127.1'],
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['hexadecimal', '0x7f000001'],
    ['hexadecimal parts', '0x7f.0.0.0x1'],
    ['full-width digits', '\uff11\uff12\uff17.0.0.1'],
    ['unspecified', '0.0.0.0'],
    ['IPv6 loopback', '[::1]'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['mapped in hexadecimal', '[::ffff:7f00:1]'],
    ['compatible', '[::127.0.0.1]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
    ['private', '10.0.0.1'],
    ['link-local, used by clouds', '169.254.169.254'],
    ['localhost', 'localhost'],
    ['localhost with a dot', 'localhost.'],
  ])('should not be %s: %s', async (_title, host) => {
    const failure = await failureOf(fetchDocument(`http://${host}:${inside.port}/document`, { isAllowedAddress }));
    expect(failure).toMatchObject(unreachable);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['a private and a public address', ['fd00::1', '2606:4700::1111']],
    ['no address', []],
  ])('should not be those of a name that resolves to %s', async (_title, addresses) => {
    const resolveName = () => Promise.resolve(addresses);
    const url = `http://documents.example:${inside.port}/document`;
    expect(await failureOf(fetchDocument(url, { isAllowedAddress, resolveName }))).toMatchObject(unreachable);
  });

  it('should be looked up once, so that a name cannot resolve differently when connecting', async () => {
    const results = [['127.0.0.1'], ['127.0.0.2']];
    const asked: string[] = [];
    const resolveName = (name: string) => {
      asked.push(name);
      return Promise.resolve(results[asked.length - 1] ?? []);
    };
    const url = `http://rebinding.example:${server.port}/document`;
    expect(await fetchDocument(url, { resolveName })).toEqual(document);
    expect(asked).toEqual(['rebinding.example']);
    expect(await failureOf(fetchDocument(url, { resolveName }))).toMatchObject(unreachable);
  });

  it('should be checked again after a redirect to the same name', async () => {
    const results = [['127.0.0.1'], ['127.0.0.2']];
    const resolveName = () => Promise.resolve(results.shift() ?? []);
    const to = `http://rebinding.example:${inside.port}/document`;
    const url = `http://rebinding.example:${server.port}/redirect?to=${encodeURIComponent(to)}`;
    expect(await failureOf(fetchDocument(url, { resolveName }))).toMatchObject(unreachable);
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost'])(
    'should not be reachable by a redirect to %s',
    async (host) => {
      const to = encodeURIComponent(`http://${host}:${inside.port}/document`);
      const failure = await failureOf(fetchDocument(`${server.url}/redirect?to=${to}`));
      expect(failure).toMatchObject(unreachable);
    },
  );

  it('should give the same error if forbidden, unresolvable or silent', async () => {
    const silent = await startDocumentServer(() => undefined);
    await silent.close();
    const isAllowed = { isAllowedAddress: () => true };
    const refused = await failureOf(fetchDocument(`http://127.0.0.1:${silent.port}/`, isAllowed));
    const nameless = await failureOf(
      fetchDocument('http://nothing.example/', { ...isAllowed, resolveName: () => Promise.resolve([]) }),
    );
    const forbidden = await failureOf(fetchDocument(`${inside.url}/`));
    for (const failure of [refused, nameless, forbidden]) expect(failure).toMatchObject(unreachable);
  });
});

describe('The URLs that documents are fetched from', () => {
  it.each([
    ['ftp://example.com/document', /https:\/\/ or http:\/\//],
    ['file:///etc/passwd', /https:\/\/ or http:\/\//],
    ['http://user:password@example.com/', /user name or password/],
    ['http://user@example.com/', /user name or password/],
    ['http://example.com:25/', /port/],
    ['https://example.com:22/', /port/],
  ])('should not be %s, directly or after a redirect', async (url, message) => {
    expect(await failureOf(fetchDocument(url))).toMatchObject(refusal(message));
    const redirected = await failureOf(fetchDocument(`${server.url}/redirect?to=${encodeURIComponent(url)}`));
    expect(redirected).toMatchObject(refusal(message));
    expect(String(redirected)).not.toContain('password@');
  });

  it('should be followed through up to 5 redirects, including relative ones', async () => {
    expect(await fetchDocument(`${server.url}/redirects?times=5`)).toEqual(document);
    const failure = await failureOf(fetchDocument(`${server.url}/redirects?times=6`));
    expect(failure).toMatchObject(refusal(/more than 5 times/));
  });

  it.each(['http://', 'http://[::g]/'])('should not be %s after a redirect', async (to) => {
    const failure = await failureOf(fetchDocument(`${server.url}/redirect?to=${encodeURIComponent(to)}`));
    expect(failure).toMatchObject(refusal(/an invalid URL/));
  });
});

describe('A fetch of a document', () => {
  const tooLarge = { code: 'payload-too-large', fields: [expect.objectContaining({ field: 'document' })] };

  it('should stop with a closed connection when the document exceeds its limit', async () => {
    const connected = once(server.server, 'connection') as Promise<[Socket]>;
    expect(await failureOf(fetchDocument(`${server.url}/endless`, { maxBytes: megabyte }))).toMatchObject(tooLarge);
    const [socket] = await connected;
    if (!socket.destroyed) await closeOf(socket);
  });

  it('should fail immediately if the announced size exceeds the limit', async () => {
    const url = `${server.url}/announced?size=${51 * megabyte}`;
    expect(await failureOf(fetchDocument(url))).toMatchObject(tooLarge);
  });

  it('should accept exactly the maximum size', async () => {
    const url = `${server.url}/document`;
    expect(await fetchDocument(url, { maxBytes: document.length })).toEqual(document);
    expect(await failureOf(fetchDocument(url, { maxBytes: document.length - 1 }))).toMatchObject(tooLarge);
  });

  it('should count the document against the memory of all requests', async () => {
    const full = new BodyMemory(10).open();
    const fetcher = new DocumentFetcher({ ...defaultFetchRules, isAllowedAddress: () => true });
    const { signal } = new AbortController();
    const failure = await failureOf(
      fetcher.fetch(new URL(`${server.url}/document`), { organizationId, memory: full, signal }),
    );
    expect(failure).toMatchObject({ code: 'overloaded', headers: { 'retry-after': '5' } });
  });

  it.each(['/slow', '/silent'])('should time out if the server is %s', async (path) => {
    const failure = await failureOf(fetchDocument(server.url + path, { timeoutSeconds: 0.2 }));
    expect(failure).toMatchObject(refusal(/within 0\.2 s/));
  });

  it('should time out if the lookup hangs', async () => {
    const resolveName = () => new Promise<string[]>(() => undefined);
    const failure = await failureOf(fetchDocument('http://slow.example/', { resolveName, timeoutSeconds: 0.2 }));
    expect(failure).toMatchObject(refusal(/within 0\.2 s/));
  });

  it('should fail if the document is cut off', async () => {
    expect(await failureOf(fetchDocument(`${server.url}/cut-off`))).toMatchObject(refusal(/too early/));
  });

  it('should fail if the server does not speak HTTP', async () => {
    // Reads what it's sent, because the connection would never end otherwise.
    const other = createServer((socket) => socket.resume().end('220 mail.example ESMTP\r\n'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const failure = await failureOf(fetchDocument(`http://127.0.0.1:${port}/`, { isAllowedAddress: () => true }));
    expect(failure).toMatchObject(unreachable);
    await promisify(other.close.bind(other))();
  });

  it('should stop if the client disconnects', async () => {
    const controller = new AbortController();
    const arrived = once(server.server, 'request');
    const fetching = failureOf(fetchDocument(`${server.url}/silent`, { signal: controller.signal }));
    const [request] = (await arrived) as [{ socket: Socket }];
    controller.abort();
    expect(await fetching).toMatchObject({ name: 'AbortError' });
    if (!request.socket.destroyed) await closeOf(request.socket);
  });
});

describe('The fetches of an organization', () => {
  /** Starts fetches that get no response until they are aborted. */
  function hang(fetcher: DocumentFetcher, count: number): { fetches: Promise<unknown>[]; abort: () => void } {
    const controller = new AbortController();
    const context = { organizationId, memory: memory.open(), signal: controller.signal };
    const fetches = Array.from({ length: count }, () =>
      failureOf(fetcher.fetch(new URL(`${server.url}/silent`), context)),
    );
    return { fetches, abort: () => controller.abort() };
  }

  it('should be limited in number until one ends, without limiting other organizations', async () => {
    const fetcher = new DocumentFetcher({ ...defaultFetchRules, isAllowedAddress: () => true });
    const { fetches, abort } = hang(fetcher, defaultFetchRules.fetchesPerOrganization);
    const fetch = (organization: string) => {
      const context = { organizationId: organization, memory: memory.open(), signal: new AbortController().signal };
      return fetcher.fetch(new URL(`${server.url}/document`), context);
    };
    expect(await failureOf(fetch(organizationId))).toMatchObject({
      code: 'too-many-requests',
      status: 429,
      headers: { 'retry-after': '1' },
    });
    expect(await fetch('another organization')).toEqual(document);
    abort();
    await Promise.all(fetches);
    expect(await fetch(organizationId)).toEqual(document);
  });
});
