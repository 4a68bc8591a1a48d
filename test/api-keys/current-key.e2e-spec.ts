import pg from 'pg';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { CurrentApiKeyDto } from '../../src/api-keys/dto/current-api-key.dto.js';
import { generateApiKey, hintOfApiKey } from '../../src/api-keys/api-key.token.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const route = 'GET /v1/key';
const [service, replica] = useReplicas({ config: { trustProxy: true } });
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const manage = (route: string, body?: unknown) => call(service.url, route, { token: member.token, body });
const show = async () => (await manage(`GET /api-keys/${apiKey.id}`)).body as ApiKeyDetailsDto;
const read = async (token = apiKey.key) => (await call(service.url, route, { token })).body as CurrentApiKeyDto;
const statusOf = async (token: string, url = service.url) => (await call(url, route, { token })).status;

describe('GET /v1/key', () => {
  it('should return the name, hint, expiry, restrictions and limits of the key, and nothing else', async () => {
    const settings = { expiresAt: '2999-01-31T09:30:00.000Z', models: ['tesseract'], addresses: ['127.0.0.0/8'] };
    const limit = { metric: 'requests', per: 'day', max: 60 };
    const body = { name: 'Search indexer', note: 'Owned by Ada', ...settings, limits: [limit] };
    const created = (await manage('POST /api-keys', body)).body as { key: string };
    const response = await call(service.url, route, { token: created.key });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const resetsAt = expect.any(String) as string;
    const state = { used: 0, reserved: 0, estimated: 0, remaining: 60, resetsAt, isIncreased: false };
    expect(response.body).toEqual({
      name: 'Search indexer',
      hint: hintOfApiKey(created.key),
      ...settings,
      limits: [{ ...limit, ...state }],
      cost: null,
    });
  });

  it('should return null for an expiry and restrictions that the key does not have', async () => {
    const hint = hintOfApiKey(apiKey.key);
    expect(await read()).toEqual({
      name: 'A key',
      hint,
      expiresAt: null,
      models: null,
      addresses: null,
      limits: [],
      cost: null,
    });
  });

  it('should accept the key in either header, and describe the one that was sent', async () => {
    const other = await createApiKey(service, await createMember(service), 'A key of another organization');
    const nameWith = async (headers: Record<string, string>) =>
      ((await call(service.url, route, { headers })).body as CurrentApiKeyDto).name;
    expect(await nameWith({ authorization: `Bearer ${apiKey.key}` })).toBe('A key');
    expect(await nameWith({ 'x-api-key': apiKey.key })).toBe('A key');
    expect(await nameWith({ 'x-api-key': other.key })).toBe('A key of another organization');
  });

  it('should show what is left, cost nothing, and work when nothing is left', async () => {
    await setLimits(service, { keyId: apiKey.id }, [{ metric: 'requests', per: 'day', max: 2 }]);
    const useKey = async () => (await call(replica.url, 'GET /v1/models', { token: apiKey.key })).status;
    expect(await useKey()).toBe(200);
    for (const { url } of [service, service, replica]) expect(await statusOf(apiKey.key, url)).toBe(200);
    expect((await read()).limits).toMatchObject([{ used: 1, remaining: 1 }]);
    expect([await useKey(), await useKey()]).toEqual([200, 429]);
    const { limits } = await read();
    expect(limits).toMatchObject([{ used: 2, remaining: 0 }]);
    expect(limits).toEqual((await show()).limits);
    expect(await readCounters(service, apiKey.id)).toEqual({ 'requests/day': [2, 0] });
  });

  it('should cost nothing in a batch with requests that count', async () => {
    await setLimits(service, { keyId: apiKey.id }, [{ metric: 'requests', per: 'day', max: 5 }]);
    const send = (route: string) => call(service.url, route, { token: apiKey.key });
    const sent = Array.from({ length: 20 }, () => [send(route), send('GET /v1/models')]).flat();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((_status, place) => place % 2 === 0).every((status) => status === 200)).toBe(true);
    expect(statuses.filter((status, place) => place % 2 === 1 && status === 200)).toHaveLength(5);
    expect(await readCounters(service, apiKey.id)).toEqual({ 'requests/day': [5, 0] });
  });

  it('should say nothing of the limits of the organization, and work when those are exhausted', async () => {
    await setLimits(service, { organizationId: member.organizationId }, [{ metric: 'requests', per: 'day', max: 1 }]);
    await call(service.url, 'GET /v1/models', { token: apiKey.key });
    expect((await call(service.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(429);
    const { status, text, headers } = await call(service.url, route, { token: apiKey.key });
    expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    expect(text).toContain('"limits":[]');
    expect(text).not.toContain(member.organizationId);
  });

  it('should describe the secret that was sent, during a rotation', async () => {
    const { key } = (await manage(`POST /api-keys/${apiKey.id}/rotate`, { gracePeriodSeconds: 600 })).body as {
      key: string;
    };
    const { previousSecretExpiresAt } = await show();
    expect(await read()).toMatchObject({ hint: hintOfApiKey(apiKey.key), expiresAt: previousSecretExpiresAt });
    expect(await read(key)).toMatchObject({ hint: hintOfApiKey(key), expiresAt: null });
    await manage(`DELETE /api-keys/${apiKey.id}/previous-secret`);
    expect([await statusOf(apiKey.key), await statusOf(key)]).toEqual([401, 200]);
  });

  it("should count as the key's last use", async () => {
    expect((await show()).lastUsedAt).toBeUndefined();
    await read();
    await waitFor(async () => (await show()).lastUsedAt !== undefined);
  });

  it('should never contain or log the key', async () => {
    const { text } = await call(service.url, route, { token: apiKey.key });
    await call(service.url, route, { token: generateApiKey() });
    expect(text).not.toContain(apiKey.key);
    expect(service.logLines.join('')).not.toContain(apiKey.key);
  });

  it.each([
    ['missing', undefined, null],
    ['unknown', () => `Bearer ${generateApiKey()}`, 'invalid_api_key'],
    ['malformed', () => `Bearer ${apiKey.key}x`, 'invalid_api_key'],
    ['a JWT', () => `Bearer ${member.token}`, 'invalid_api_key'],
  ])("should return 401 in OpenAI's format if the key is %s", async (_title, authorization, code) => {
    const headers = authorization === undefined ? undefined : { authorization: authorization() };
    const response = await call(service.url, route, { headers });
    expect(response.status).toBe(401);
    const message = expect.any(String) as string;
    expect(response.body).toEqual(aiError({ message, type: 'invalid_request_error', param: null, code }));
    expect(response.headers.get('www-authenticate')).toContain('Bearer realm="keycard"');
  });

  it('should return 401 for an expired key', async () => {
    await service.query('update api_keys set expires_at = clock_timestamp() where id = $1', [apiKey.id]);
    expect(await statusOf(apiKey.key)).toBe(401);
  });

  it('should return 401 on every replica once the deletion of the key has returned', async () => {
    expect([await statusOf(apiKey.key), await statusOf(apiKey.key, replica.url)]).toEqual([200, 200]);
    await manage(`DELETE /api-keys/${apiKey.id}`);
    expect([await statusOf(apiKey.key), await statusOf(apiKey.key, replica.url)]).toEqual([401, 401]);
  });

  it.each([
    ['is disabled', { enabled: false }, 'api_key_disabled'],
    ['is used from another address', { addresses: ['203.0.113.7'] }, 'address_not_allowed'],
  ])('should return 403 if the key %s, and list that as a failed request', async (_title, restriction, code) => {
    await manage(`PATCH /api-keys/${apiKey.id}`, restriction);
    const response = await call(service.url, route, { token: apiKey.key });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ error: { code } });
    await waitFor(async () => {
      const { text } = await manage(`GET /api-keys/${apiKey.id}/failures`);
      return text.includes('"route":"GET /v1/key"');
    });
  });

  it('should be allowed from the addresses of the key', async () => {
    await manage(`PATCH /api-keys/${apiKey.id}`, { addresses: ['203.0.113.7'] });
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect((await call(service.url, route, { token: apiKey.key, headers })).status).toBe(200);
  });

  it('should return 503 while limits cannot be read, and leave connections to the management routes', async () => {
    const blocker = new pg.Client(service.database);
    await blocker.connect();
    await blocker.query('begin; lock table limit_counters');
    const reads = Array.from({ length: 30 }, () => statusOf(apiKey.key));
    await waitFor(async () => (await countLockWaits(service)) > 0);
    expect((await manage('GET /api-keys')).status).toBe(200);
    const statuses = await Promise.all(reads);
    await blocker.end();
    expect(new Set(statuses)).toEqual(new Set([503]));
    await waitFor(async () => (await statusOf(apiKey.key)) === 200);
  });
});
