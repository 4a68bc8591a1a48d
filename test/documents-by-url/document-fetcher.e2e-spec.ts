import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { DocumentFetcher } from '../../src/ai-gateway/tasks/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules } from '../../src/ai-gateway/tasks/ocr/document-fetch/fetch-rules.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import {
  document,
  failureOf,
  megabyte,
  memory,
  organizationId,
  refusal,
  unreachable,
  useDocumentServers,
} from './fetch-document.js';

const { server, inside, fetchDocument } = useDocumentServers();

/** Resolves when the connection has ended. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

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
