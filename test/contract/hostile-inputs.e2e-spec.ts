import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { operationsOf } from './operation-gaps.js';

const routes = operationsOf(JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject).map(
  ({ route }) => route,
);
const id = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';
const json = 'application/json';

const bodies: [contentType: string, body: string][] = [
  [json, '{"": 1}'],
  [json, '{"\\ud800": 1}'],
  [json, `{"${'x'.repeat(5000)}": 1}`],
  [json, '{"prototype": 1, "toString": 1}'],
  [json, '{"__proto__": {}}'],
  [json, '{"name": {"$ne": null}, "model": 1, "email": [], "token": true}'],
  [json, '{"name": "\\u0000\\ud800", "email": "\\u0000@\\ud800", "password": "\\u0000", "model": "\\u0000"}'],
  [json, '[]'],
  [json, 'null'],
  [json, '{'],
  [json, '\xff\xfe'],
  [json, `${'['.repeat(40_000)}`],
  [json, `"${'x'.repeat(200_000)}"`],
  ['text/plain', '{}'],
  ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name=""\r\n\r\n1\r\n--x--'],
  ['not a content type', '{}'],
];
const queries = [
  '?=1',
  '?page=1&page=2',
  '?page=1e3&perPage=-1',
  '?%zz=%zz',
  `?${'x'.repeat(5000)}=1`,
  '?from=%00&order=',
];
const ids = ['%00', '%zz', '%2e%2e', 'x'.repeat(5000), '%F0%9F', '\\'];

const service = useTestApp();
let member: Member;
let key: string;

beforeAll(async () => {
  member = await createMember(service);
  ({ key } = await createApiKey(service, member));
});

interface Input {
  headers?: Record<string, string>;
  rawBody?: string;
}

describe('Every route', () => {
  /** Sends an input without credentials, as a member and with an API key. `call` checks openapi.json. */
  async function expectNoFault(route: string, input: Input = {}): Promise<void> {
    const send = async (token?: string) => {
      const { status, text } = await call(service.url, route, { ...input, token });
      expect({ route, status, text }).not.toMatchObject({ status: 500 });
    };
    await Promise.all([send(), send(member.token), send(key)]);
  }

  it.each(routes)('should respond to malformed input as documented (%s)', async (route) => {
    member = await createMember(service);
    const valid = route.replace(/\{\w+\}/, id);
    if (!route.startsWith('GET ')) {
      for (const [contentType, rawBody] of bodies) {
        await expectNoFault(valid, { headers: { 'content-type': contentType }, rawBody });
      }
      const headers = { 'content-type': json, 'content-encoding': 'gzip' };
      await expectNoFault(valid, { headers, rawBody: '\x1f\x8b' });
    }
    for (const query of queries) await expectNoFault(valid + query);
    if (route.includes('{')) for (const malformed of ids) await expectNoFault(route.replace(/\{\w+\}/, malformed));
  });
});

describe('A field without a name', () => {
  it('should be reported as unnamed', async () => {
    const { token } = await createMember(service);
    const { status, body } = await call(service.url, 'POST /api-keys', { token, body: { '': 1, name: 'a key' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ field: '(unnamed)', message: 'Field names must not be empty.' }],
    });
  });
});
