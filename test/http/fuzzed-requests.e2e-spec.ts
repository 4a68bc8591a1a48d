import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { checkContract } from '../contract/response-contract.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { RawClient } from '../setup/raw-client.js';
import { useTestApp } from '../setup/use-test-app.js';

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject;

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString('latin1'));
const segment = fc.oneof(fc.constantFrom('..', '%2e%2e', '%zz', '%00', '%5c', '\\', '*', '', 'a?b=c', '%F0'), bytes);
const target = fc.oneof(
  fc.constantFrom(...Object.keys(paths)),
  fc
    .tuple(fc.constantFrom(...Object.keys(paths), '/docs', '/assets', '/v1', ''), segment)
    .map((parts) => parts.join('/')),
  fc.constantFrom('*', 'http://keycard/v1/models', 'keycard:443'),
  bytes,
);
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT') },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom('OPTIONS', 'TRACE', 'CONNECT', 'QUERY', 'PROPFIND', 'get'), bytes) },
);
const header = fc.oneof(
  fc.constantFrom(
    'content-type: application/json',
    'content-type: multipart/form-data; boundary=x',
    'content-type: text/plain',
    'content-length: 5',
    'content-length: 5, 6',
    'content-length: -1',
    'content-length: 99999999',
    'transfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'content-encoding: gzip',
    'expect: 100-continue',
    'expect: nothing',
    'connection: close',
    'connection: upgrade\r\nupgrade: h2c',
    'host: another',
    'x-request-id: \x01',
    'cookie: a=b; __Host-x=',
    'accept: text/csv',
    'origin: null',
    'if-none-match: *',
    'range: bytes=0-',
  ),
  fc.tuple(bytes, bytes).map(([name, value]) => `${name}: ${value}`),
);
const body = fc.oneof(
  bytes,
  fc.json().map(String),
  fc.constantFrom('5\r\nabcde\r\n0\r\n\r\n', '5;a=b\r\n', 'zz\r\n', '{"": 1}'),
);

describe('A fuzzed request', () => {
  let credentials: string[];
  const http = {
    bodyIdleMilliseconds: 50,
    headersMilliseconds: 100,
    requestMilliseconds: 200,
    checkIntervalMilliseconds: 20,
  };
  const service = useTestApp({ config: { http } });
  beforeAll(async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    credentials = ['', `authorization: Bearer ${member.token}\r\n`, `x-api-key: ${key}\r\n`];
  });

  it('should get a documented response or a clean close, and never a 500', async () => {
    const request = fc.tuple(method, target, fc.array(header, { maxLength: 4 }), body, fc.nat(2));
    await fc.assert(
      fc.asyncProperty(request, async ([verb, path, headers, content, credential]) => {
        const lines = ['host: keycard', ...headers].map((line) => `${line}\r\n`);
        const text = `${verb} ${path} HTTP/1.1\r\n${lines.join('')}${credentials[credential]}\r\n${content}`;
        const client = await RawClient.connect(service.url);
        try {
          await client.write(Buffer.from(text, 'latin1'));
          const response = await client.responseOrClose();
          expect(client.failure).toBeUndefined();
          if (response === undefined) return;
          expect(response.status).not.toBe(500);
          expect(response.headers).toHaveProperty('x-request-id');
          const documented = { ...response, headers: new Headers(response.headers), text: response.body };
          // Malformed methods and paths aren't in openapi.json.
          if (/^[A-Z]+$/.test(verb) && /^[\w/-]+$/.test(path)) checkContract(verb, path, documented);
        } finally {
          client.destroy();
        }
      }),
      { numRuns: 150 },
    );
  });
});
