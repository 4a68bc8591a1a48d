import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useRawClients } from '../setup/raw-client.js';
import { blockUsage } from '../setup/recorded-usage.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const services = ['search', 'acme/Müller & Söhne'];
const service = useTestApp({ config: { services } });
const startApp = useAppStarter();
const connect = useRawClients();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const routes = ['GET /v1/authorize', 'POST /v1/authorize'];
const authorize = (query = '', headers: Record<string, string> = { 'x-api-key': apiKey.key }) =>
  call(service.url, `GET /v1/authorize${query}`, { headers });
const errorOf = ({ status, body }: CallResponse) => {
  const { code, param } = (body as { error: { code: string | null; param: string | null } }).error;
  return [status, code, param];
};
const restrict = (body: object) => call(service.url, `PATCH /api-keys/${apiKey.id}`, { token: member.token, body });

/** Requests by model, as `GET /usage` reports them. */
async function usageOf({ token }: Member): Promise<Record<string, number>> {
  const { body } = await call(service.url, 'GET /usage?groupBy=model', { token });
  return Object.fromEntries((body as UsageReportDto).groups.map(({ model = '', totals }) => [model, totals.requests]));
}

describe('/v1/authorize', () => {
  it.each(['HEAD /v1/authorize', ...routes])(
    'should respond to %s with 204 and the identity of the key, in either header',
    async (route) => {
      for (const [name, value] of [
        ['x-api-key', apiKey.key],
        ['authorization', `Bearer ${apiKey.key}`],
      ] as const) {
        const response = await call(service.url, `${route}?service=search`, { headers: { [name]: value } });
        expect([response.status, response.text]).toEqual([204, '']);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'x-keycard-key-id': apiKey.id,
          'x-keycard-key-name': 'A%20key',
          'x-keycard-organization-id': member.organizationId,
          'cache-control': 'no-store',
        });
      }
    },
  );

  it('should percent-encode every character of a name that a header cannot have', async () => {
    const name = 'Suche „Köln“ 🔑 50 %,\u00a0a=b; "c"';
    apiKey = await createApiKey(service, member, name);
    const encoded = (await authorize()).headers.get('x-keycard-key-name') ?? '';
    expect(encoded).toMatch(/^[\w%.!~*'()-]+$/);
    expect(decodeURIComponent(encoded)).toBe(name);
  });

  it.each(routes)('should return 401 with a challenge from %s for a missing or unknown key', async (route) => {
    for (const token of [undefined, generateApiKey(), member.token]) {
      const response = await call(service.url, `${route}?service=search`, { token });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-keycard-key-id')).toBeNull();
    }
  });

  it.each([
    ['?service=', 'service'],
    ['?service=search&service=search', 'service'],
    ['?service=search&Service=search', 'Service'],
    ['?uri=/index.html', 'uri'],
    ['?__proto__=x', '__proto__'],
  ])('should return 400 naming the parameter for %s', async (query, field) => {
    const response = await authorize(query);
    expect(errorOf(response)).toEqual([400, null, field]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('should return 404 for a service that is not declared, even to a key without access', async () => {
    for (const models of [null, []]) {
      await restrict({ models });
      for (const name of ['Search', 'search ', 'tesseract', 'constructor', 'x'.repeat(5000)]) {
        const response = await authorize(`?service=${encodeURIComponent(name)}`);
        expect(errorOf(response)).toEqual([404, 'service_not_found', 'service']);
        expect(response.headers.get('cache-control')).toBe('no-store');
      }
    }
  });

  it('should reject a restricted key unless the service is in its list of models', async () => {
    const refused = [403, 'service_not_allowed', 'service'];
    await restrict({ models: ['tesseract', services[1]] });
    expect(errorOf(await authorize('?service=search'))).toEqual(refused);
    expect((await authorize(`?service=${encodeURIComponent(services[1] ?? '')}`)).status).toBe(204);
    await restrict({ models: [] });
    expect(errorOf(await authorize('?service=search'))).toEqual(refused);
  });

  it('should reject a restricted key if no service is named, unless its list has "authorize"', async () => {
    await restrict({ models: ['search'] });
    expect(errorOf(await authorize())).toEqual([403, 'service_not_allowed', 'service']);
    await restrict({ models: ['authorize'] });
    expect((await authorize()).status).toBe(204);
    expect((await authorize('?service=search')).status).toBe(403);
  });

  it('should count authorized requests as usage of the service in the organization of the key only', async () => {
    const other = await createMember(service);
    const otherKey = await createApiKey(service, other);
    await authorize('?service=search');
    await authorize('?service=search');
    await authorize();
    await authorize('?service=search', { 'x-api-key': otherKey.key });
    await authorize('?service=unknown');
    await restrict({ models: [] });
    await authorize('?service=search');
    expect(await usageOf(member)).toEqual({ search: 2, authorize: 1 });
    expect(await usageOf(other)).toEqual({ search: 1 });
  });

  it('should apply limits, and report what is left of them', async () => {
    await restrict({ limits: [{ metric: 'requests', per: 'hour', max: 1 }] });
    const admitted = await authorize('?service=search');
    expect(admitted.status).toBe(204);
    expect(admitted.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(admitted.headers.get('ratelimit')).toMatch(/^"key-requests-hour";r=0;t=\d+$/);
    const limited = await authorize('?service=search');
    expect(errorOf(limited)).toEqual([429, 'rate_limit_exceeded', null]);
    expect(limited.headers.get('ratelimit-policy')).toBe('"key-requests-hour";q=1;w=3600');
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(limited.headers.get('cache-control')).toBe('no-store');
  });

  it('should return 503 instead of letting a request through that could not be recorded', async () => {
    const unblock = await blockUsage(service);
    try {
      const response = await authorize('?service=search');
      expect(errorOf(response)).toEqual([503, 'database_unavailable', null]);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(response.headers.get('cache-control')).toBe('no-store');
    } finally {
      await unblock();
    }
    // Requests are rejected until a write succeeds.
    await waitFor(async () => (await authorize('?service=search')).status === 204);
  });
});

describe('/v1/authorize for a service of some organizations', () => {
  const [named, other] = ['01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11', '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'] as const;
  const restricted = useTestApp({
    config: {
      services: ['search', { name: 'reports', organizations: [named] }, { name: 'authorize', organizations: [other] }],
    },
  });

  it('should only let keys of these organizations through, even if a key lists the service', async () => {
    const refused = [403, 'service_not_allowed', 'service'];
    const none = '01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e';
    const outcomes: Record<string, unknown> = {};
    for (const organizationId of [named, other, none]) {
      await restricted.query(`insert into organizations (id, name) values ($1, 'An organization')`, [organizationId]);
      const owner = await createMember(restricted, { organizationId });
      const { id, key } = await createApiKey(restricted, owner);
      const ask = async (query: string) => {
        const response = await call(restricted.url, `GET /v1/authorize${query}`, { token: key });
        return response.status === 204 ? 204 : errorOf(response);
      };
      const answers = [await ask('?service=search'), await ask('?service=reports'), await ask('')];
      const body = { models: ['search', 'reports', 'authorize'] };
      await call(restricted.url, `PATCH /api-keys/${id}`, { token: owner.token, body });
      expect([await ask('?service=search'), await ask('?service=reports'), await ask('')]).toEqual(answers);
      const { services: listed } = (await call(restricted.url, 'GET /models', { token: owner.token })).body as {
        services: string[];
      };
      outcomes[organizationId] = [...answers, listed];
    }
    expect(outcomes).toEqual({
      [named]: [204, 204, refused, ['search', 'reports']],
      [other]: [204, refused, 204, ['authorize', 'search']],
      [none]: [204, refused, refused, ['search']],
    });
  });
});

describe('POST /v1/authorize with a body', () => {
  it.each([
    ['JSON', 'application/json', '{}'],
    ['malformed JSON', 'application/json', '{'],
    ['an unknown type', 'application/x-anything', 'a'],
    ['a malformed type', '/;;', 'a'],
    ['a body beyond all limits', 'application/octet-stream', 'a'.repeat(11 * 1024 * 1024)],
  ])('should ignore %s', async (_title, type, rawBody) => {
    const headers = { 'x-api-key': apiKey.key, 'content-type': type, 'content-encoding': 'gzip' };
    const response = await call(service.url, 'POST /v1/authorize?service=search', { headers, rawBody });
    expect(response.status).toBe(204);
  });

  it.each(['GET', 'POST'])('should respond to %s before the body has arrived', async (method) => {
    for (const framing of ['content-length: 100000000000', 'transfer-encoding: chunked', 'content-length: 10']) {
      const client = await connect(service);
      const head = `${method} /v1/authorize HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${apiKey.key}\r\n${framing}\r\n`;
      await client.write(`${head}expect: 100-continue\r\n\r\n`);
      const { status, interim } = await client.response();
      expect([framing, status, interim]).toEqual([framing, 204, []]);
    }
  });
});

describe('A service', () => {
  it('should not be a model', async () => {
    const token = apiKey.key;
    const { body } = await call(service.url, 'GET /v1/models', { token });
    expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).not.toContain('search');
    expect((await call(service.url, 'GET /v1/models/search', { token })).status).toBe(404);
    const embeddings = await call(service.url, 'POST /v1/embeddings', { token, body: { model: 'search', input: 'a' } });
    expect(errorOf(embeddings)).toEqual([404, 'model_not_found', 'model']);
  });

  it('should not be declared by default', async () => {
    const { url, stop } = await startApp({ database: service.database });
    const response = await call(url, 'GET /v1/authorize?service=search', { token: apiKey.key });
    expect(response.status).toBe(404);
    await stop();
  });
});
