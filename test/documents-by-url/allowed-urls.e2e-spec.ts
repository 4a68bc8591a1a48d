import type { Socket } from 'node:net';
import { defaultFetchRules } from '../../src/ai-gateway/tasks/ocr/document-fetch/fetch-rules.js';
import { startDocumentServer } from './document-server.js';
import { document, failureOf, refusal, unreachable, useDocumentServers } from './fetch-document.js';

const { server, inside, fetchDocument } = useDocumentServers();

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
  ])('should not include a name that resolves to %s', async (_title, addresses) => {
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
