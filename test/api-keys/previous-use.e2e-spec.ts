import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import { UsageRecorderService } from '../../src/usage/usage-recorder.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member, 'Search indexer');
});

const shown = async () =>
  (await call(service.url, `GET /api-keys/${apiKey.id}`, { token: member.token })).body as ApiKeyDetailsDto;
const listModels = async (key: string) =>
  expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
const revoke = () => call(service.url, `DELETE /api-keys/${apiKey.id}/previous-secret`, { token: member.token });

/** Sends a request whose use is in the database when it returns. */
async function embed(key: string): Promise<void> {
  const body = { model: 'universal-sentence-encoder-lite', input: '' };
  // Counted as a failure of its key.
  expect((await call(service.url, 'POST /v1/embeddings', { token: key, body })).status).toBe(400);
}

/** Rotates the key and returns its new secret. */
async function rotate(gracePeriodSeconds = 600): Promise<string> {
  const body = { gracePeriodSeconds };
  const response = await call(service.url, `POST /api-keys/${apiKey.id}/rotate`, { token: member.token, body });
  expect(response.status).toBe(200);
  return (response.body as CreatedKey).key;
}

/** Also what the API no longer returns. */
async function stored(): Promise<Date | null | undefined> {
  const [row] = await service.query<{ last: Date | null }>(
    'select previous_secret_last_used_at as last from api_keys where id = $1',
    [apiKey.id],
  );
  return row?.last;
}

const past = '2026-01-01T00:00:00.000Z';
const moveToPast = () =>
  service.query('update api_keys set last_used_at = $2, previous_secret_last_used_at = $2 where id = $1', [
    apiKey.id,
    past,
  ]);

const limits = [{ metric: 'tokens', per: 'minute', max: 10_000 }];

describe('The last use of the previous secret', () => {
  it('should be absent before the first rotation, and null if the key was never used before it', async () => {
    expect(await shown()).not.toHaveProperty('previousSecretLastUsedAt');
    await rotate();
    expect(await shown()).toHaveProperty('previousSecretLastUsedAt', null);
  });

  it("should start as the key's last use, at each rotation", async () => {
    await embed(apiKey.key);
    const { lastUsedAt } = await shown();
    const second = await rotate();
    expect(lastUsedAt).toBeDefined();
    expect((await shown()).previousSecretLastUsedAt).toBe(lastUsedAt);
    await moveToPast();
    await embed(second);
    const latest = (await shown()).lastUsedAt;
    expect(latest).not.toBe(past);
    await rotate();
    expect((await shown()).previousSecretLastUsedAt).toBe(latest);
  });

  describe.each([
    ['without limits', []],
    ['with limits', limits],
  ])('of a key %s', (_title, limits) => {
    let current: string;

    beforeEach(async () => {
      const body = { limits };
      expect((await call(service.url, `PATCH /api-keys/${apiKey.id}`, { token: member.token, body })).status).toBe(200);
      current = await rotate();
      await moveToPast();
    });

    it('should change only with requests that use the previous secret, even right after the current one', async () => {
      await embed(current);
      const { lastUsedAt, previousSecretLastUsedAt } = await shown();
      expect(lastUsedAt).not.toBe(past);
      expect(previousSecretLastUsedAt).toBe(past);
      await embed(apiKey.key);
      expect((await shown()).previousSecretLastUsedAt).not.toBe(past);
    });

    it('should change with requests that use no model', async () => {
      await listModels(current);
      await waitFor(async () => (await shown()).lastUsedAt !== past);
      expect((await shown()).previousSecretLastUsedAt).toBe(past);
      await listModels(apiKey.key);
      await waitFor(async () => (await shown()).previousSecretLastUsedAt !== past);
    });
  });

  it('should be found among concurrent requests with the current secret', async () => {
    const current = await rotate();
    await moveToPast();
    await Promise.all([...Array.from({ length: 20 }, () => embed(current)), embed(apiKey.key)]);
    expect((await shown()).previousSecretLastUsedAt).not.toBe(past);
  });

  it('should be absent once the secret was revoked, and stay so if a request with it ends later', async () => {
    await embed(apiKey.key);
    await rotate();
    expect(await stored()).toBeInstanceOf(Date);
    expect((await revoke()).status).toBe(200);
    expect(await shown()).not.toHaveProperty('previousSecretLastUsedAt');
    await service.app.get(UsageRecorderService).record({
      organizationId: member.organizationId,
      apiKeyId: apiKey.id,
      model: 'some-model',
      outcome: 'success',
      inputTokens: 0,
      pages: 0,
      milliseconds: 10,
      usesPreviousSecret: true,
    });
    expect(await stored()).toBeNull();
  });

  it('should be absent once the secret has expired, or after a rotation without a grace period', async () => {
    await embed(apiKey.key);
    await rotate();
    await service.query('update api_keys set previous_secret_expires_at = clock_timestamp() where id = $1', [
      apiKey.id,
    ]);
    expect(await shown()).not.toHaveProperty('previousSecretLastUsedAt');
    await rotate(0);
    expect(await shown()).not.toHaveProperty('previousSecretLastUsedAt');
    expect(await stored()).toBeNull();
  });

  it('should not be in responses to another organization', async () => {
    await embed(apiKey.key);
    await rotate();
    const { token } = await createMember(service);
    const responses = await Promise.all(
      [`GET /api-keys/${apiKey.id}`, 'GET /api-keys'].map((route) => call(service.url, route, { token })),
    );
    expect(responses.map(({ status }) => status)).toEqual([404, 200]);
    const time = (await shown()).previousSecretLastUsedAt ?? '';
    expect(responses.filter(({ text }) => text.includes(time))).toEqual([]);
  });
});
