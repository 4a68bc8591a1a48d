import { generateApiKey, hashApiKey } from '../../src/api-keys/api-key.token.js';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import type { ApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import type { Permission } from '../../src/access/permissions.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { call } from '../setup/call.js';
import { observeEnd } from '../setup/observe-end.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member, 'Search indexer');
});

const rotate = (id: string, body: unknown, token = member.token) =>
  call(service.url, `POST /api-keys/${id}/rotate`, { token, body });
const remove = (id: string) => call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
const statusOf = async (key: string) => (await call(service.url, 'GET /v1/models', { token: key })).status;
const statusesOf = (keys: string[]) => Promise.all(keys.map(statusOf));
const colleague = (permissions: Permission[]) =>
  createMember(service, { organizationId: member.organizationId, permissions });

/** Rotates the key and returns its new secret. */
async function rotateWithGrace(gracePeriodSeconds: number): Promise<string> {
  const response = await rotate(apiKey.id, { gracePeriodSeconds });
  expect(response.status).toBe(200);
  return (response.body as { key: string }).key;
}

const shown = async () =>
  (await call(service.url, `GET /api-keys/${apiKey.id}`, { token: member.token })).body as ApiKeyDetailsDto;
const formsOf = (hash: Buffer) => (['hex', 'base64', 'base64url'] as const).map((form) => hash.toString(form));

async function listed(): Promise<ApiKeyDto[]> {
  const response = await call(service.url, 'GET /api-keys', { token: member.token });
  return (response.body as ApiKeyListDto).apiKeys;
}

/** Returns the expiry of the key's previous secret. */
async function endOfPreviousSecret(): Promise<Date> {
  const [row] = await service.query<{ end: Date }>(
    'select previous_secret_expires_at as end from api_keys where id = $1',
    [apiKey.id],
  );
  return row?.end ?? new Date(NaN);
}

describe('POST /api-keys/{id}/rotate', () => {
  it('should return exactly the new key, with no-store', async () => {
    const response = await rotate(apiKey.id, { gracePeriodSeconds: 60 });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ key: expect.stringMatching(/^kc_[0-9A-Za-z]{46}$/) as string });
    expect((response.body as CreatedKey).key).not.toBe(apiKey.key);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it("should keep id, name, creation time and expiry, and show the new key's hint", async () => {
    await service.query(
      `update api_keys set expires_at = '2999-01-01T00:00:00Z', updated_at = '2026-01-01T00:00:00Z' where id = $1`,
      [apiKey.id],
    );
    const [before] = await listed();
    const key = await rotateWithGrace(0);
    const [after] = await listed();
    expect(after).toStrictEqual({ ...before, hint: key.slice(0, 8), updatedAt: after?.updatedAt });
    expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
  });

  it.each([
    ['nothing', undefined],
    ['a negative number', -1],
    ['more than 7 days', 604_801],
    ['a fraction', 1.5],
    ['a text', '60'],
    ['null', null],
    ['an array', [60]],
    ['an enormous number', 1e300],
  ])('should return 400 and change nothing for a grace period of %s', async (_title, gracePeriodSeconds) => {
    const response = await rotate(apiKey.id, { gracePeriodSeconds });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'gracePeriodSeconds', message: expect.stringContaining('between 0 and 604800') as string }],
    });
    expect(await statusOf(apiKey.key)).toBe(200);
  });

  it('should return 400 naming an unknown field, and 400 without a body', async () => {
    const response = await rotate(apiKey.id, { gracePeriodSeconds: 0, key: generateApiKey() });
    expect(response.body).toMatchObject({ status: 400, errors: [{ field: 'key' }] });
    expect((await rotate(apiKey.id, undefined)).status).toBe(400);
    expect(await statusOf(apiKey.key)).toBe(200);
  });

  it('should return the same 404 for unknown, foreign, deleted and malformed ids', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    const deleted = await createApiKey(service, member);
    await remove(deleted.id);
    const ids = ['01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', foreign.id, deleted.id, 'no-uuid', '%00'];
    const responses = await Promise.all(ids.map((id) => rotate(id, { gracePeriodSeconds: 0 })));
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 404));
    expect(new Set(responses.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
    expect(await statusOf(foreign.key)).toBe(200);
  });

  it('should return 409 for an expired key', async () => {
    await service.query(`update api_keys set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
      apiKey.id,
    ]);
    const response = await rotate(apiKey.id, { gracePeriodSeconds: 60 });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 'api-key-expired' });
    expect(await listed()).toMatchObject([{ hint: apiKey.key.slice(0, 8) }]);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    const route = `POST /api-keys/${apiKey.id}/rotate`;
    expect((await call(service.url, route, { body: { gracePeriodSeconds: 0 } })).status).toBe(401);
    const { token } = await colleague(['create-api-keys', 'get-api-keys', 'delete-api-keys']);
    const response = await rotate(apiKey.id, { gracePeriodSeconds: 0 }, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('update-api-keys') as string });
    expect(await statusOf(apiKey.key)).toBe(200);
  });
});

describe('GET /api-keys/{id} of a rotated key', () => {
  const hintOf = (key: string) => key.slice(0, 8);

  it('should return null for the time of the rotation and the previous hint before the first rotation', async () => {
    expect(await shown()).toMatchObject({ rotatedAt: null, previousSecretHint: null });
  });

  it('should return when it was last rotated, and the hint of the previous secret during the grace period', async () => {
    const second = await rotateWithGrace(600);
    const first = await shown();
    expect(first).toMatchObject({ hint: hintOf(second), previousSecretHint: hintOf(apiKey.key) });
    expect(Date.parse(first.rotatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first.createdAt));
    await service.query(`update api_keys set rotated_at = '2026-01-01T00:00:00Z' where id = $1`, [apiKey.id]);
    const third = await rotateWithGrace(600);
    const last = await shown();
    expect(last).toMatchObject({ hint: hintOf(third), previousSecretHint: hintOf(second) });
    expect(Date.parse(last.rotatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first.rotatedAt ?? ''));
    await call(service.url, `PATCH /api-keys/${apiKey.id}`, { token: member.token, body: { name: 'Renamed' } });
    expect((await shown()).rotatedAt).toBe(last.rotatedAt);
  });

  it('should return null for the previous hint once the previous secret is rejected', async () => {
    await rotateWithGrace(0);
    expect(await shown()).toMatchObject({ rotatedAt: expect.any(String) as string, previousSecretHint: null });
    await rotateWithGrace(600);
    await service.query('update api_keys set previous_secret_expires_at = clock_timestamp() where id = $1', [
      apiKey.id,
    ]);
    expect(await shown()).toMatchObject({ rotatedAt: expect.any(String) as string, previousSecretHint: null });
  });

  it('should contain no more than the first 8 characters of any secret, and no hash', async () => {
    const secrets = [apiKey.key, await rotateWithGrace(600)];
    const { text } = await call(service.url, `GET /api-keys/${apiKey.id}`, { token: member.token });
    const hashes = secrets.map((secret) => hashApiKey(secret));
    const forms = [...secrets.map((secret) => secret.slice(0, 9)), ...hashes.flatMap(formsOf)];
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
  });

  it('should be the same 404 as for an unknown id in another organization', async () => {
    await rotateWithGrace(600);
    const { token } = await createMember(service);
    const response = await call(service.url, `GET /api-keys/${apiKey.id}`, { token });
    expect(response.status).toBe(404);
    expect(response.text).not.toContain(hintOf(apiKey.key));
  });
});

describe('DELETE /api-keys/{id}/previous-secret', () => {
  const revoke = (token = member.token) =>
    call(service.url, `DELETE /api-keys/${apiKey.id}/previous-secret`, { token });

  it('should reject the previous secret immediately on every replica, and keep the current one', async () => {
    const key = await rotateWithGrace(3600);
    const { previousSecretExpiresAt } = await shown();
    expect(previousSecretExpiresAt).toBe((await endOfPreviousSecret()).toISOString());
    expect((await revoke()).status).toBe(200);
    expect(await statusesOf([apiKey.key, key])).toEqual([401, 200]);
    expect((await call(replica.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(401);
    const revoked = await shown();
    expect(revoked.previousSecretExpiresAt).toBeUndefined();
    expect(revoked).toMatchObject({ rotatedAt: expect.any(String) as string, previousSecretHint: null });
    const events = await readAuditEvents(service, { targetId: apiKey.id });
    expect(events).toContainEqual(
      expect.objectContaining({
        action: 'api-key.update',
        before: { previousSecretHint: apiKey.key.slice(0, 8), previousSecretExpiresAt },
        after: { previousSecretHint: null, previousSecretExpiresAt: null },
      }),
    );
  });

  it('should return 404 without a previous secret, or once it has expired', async () => {
    expect((await revoke()).status).toBe(404);
    await rotateWithGrace(3600);
    await service.query(`update api_keys set previous_secret_expires_at = clock_timestamp() where id = $1`, [
      apiKey.id,
    ]);
    expect((await shown()).previousSecretExpiresAt).toBeUndefined();
    expect((await revoke()).status).toBe(404);
  });

  it('should return 403 without the permission, and 404 for a foreign key', async () => {
    await rotateWithGrace(3600);
    expect((await revoke((await colleague(['get-api-keys'])).token)).status).toBe(403);
    expect((await revoke((await createMember(service)).token)).status).toBe(404);
    expect(await statusOf(apiKey.key)).toBe(200);
  });
});

describe('The secrets of a rotated key', () => {
  it("should count toward the same key's usage", async () => {
    const key = await rotateWithGrace(600);
    const usage = { model: 'universal-sentence-encoder-lite', input: '' };
    for (const token of [apiKey.key, key]) {
      // Counted as a failure of its key.
      expect((await call(service.url, 'POST /v1/embeddings', { token, body: usage })).status).toBe(400);
    }
    const rows = await service.query(
      'select api_key_id as id, sum(requests)::integer as requests from usage where organization_id = $1 group by 1',
      [member.organizationId],
    );
    expect(rows).toEqual([{ id: apiKey.id, requests: 2 }]);
  });

  it('should be rejected immediately without a grace period', async () => {
    const key = await rotateWithGrace(0);
    expect(await statusesOf([apiKey.key, key])).toEqual([401, 200]);
  });

  it('should be accepted until the grace period ends and rejected from that millisecond on, by every replica', async () => {
    const key = await rotateWithGrace(1);
    const observed = await observeEnd([service, replica], apiKey.key, await endOfPreviousSecret());
    expect(observed).toEqual({ acceptedLate: 0, rejectedEarly: 0 });
    expect(await statusesOf([apiKey.key, key])).toEqual([401, 200]);
  });

  it('should get the requested grace period by the database clock', async () => {
    const [clock] = await service.query<{ before: Date }>('select clock_timestamp() as before');
    await rotateWithGrace(604_800);
    const [grace] = await service.query<{ isWhole: boolean }>(
      `select previous_secret_expires_at between $2::timestamptz + interval '604800 seconds'
         and clock_timestamp() + interval '604800.001 seconds' as "isWhole"
       from api_keys where id = $1`,
      [apiKey.id, clock?.before],
    );
    expect(grace).toEqual({ isWhole: true });
  });

  it('should be at most two, with another rotation ending the oldest immediately', async () => {
    const second = await rotateWithGrace(600);
    expect(await statusesOf([apiKey.key, second])).toEqual([200, 200]);
    const third = await rotateWithGrace(600);
    expect(await statusesOf([apiKey.key, second, third])).toEqual([401, 200, 200]);
    const fourth = await rotateWithGrace(0);
    expect(await statusesOf([apiKey.key, second, third, fourth])).toEqual([401, 401, 401, 200]);
  });

  it('should be at most two after many concurrent rotations', async () => {
    const rotated = await Promise.all(Array.from({ length: 8 }, () => rotateWithGrace(600)));
    const statuses = await statusesOf([apiKey.key, ...rotated]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses[0]).toBe(401);

    // Rotations are serial: each replaces the secret of the one before.
    const rotations = (await readAuditEvents(service, { targetId: apiKey.id })).filter(
      ({ action }) => action === 'api-key.rotate',
    );
    const hintsAfter = rotations.map(({ after }) => (after as { hint: string }).hint);
    const hintsBefore = rotations.map(({ before }) => (before as { hint: string }).hint);
    expect(hintsBefore).toEqual([apiKey.key.slice(0, 8), ...hintsAfter.slice(0, -1)]);
    expect(hintsAfter.toSorted()).toEqual(rotated.map((key) => key.slice(0, 8)).sort());
  });

  it('should not outlive the key', async () => {
    await service.query(`update api_keys set expires_at = clock_timestamp() + interval '1 minute' where id = $1`, [
      apiKey.id,
    ]);
    const key = await rotateWithGrace(600);
    // Moves the expiry closer by most of the minute.
    await service.query(
      `update api_keys set expires_at = expires_at - passed, previous_secret_expires_at = previous_secret_expires_at - passed
       from (select expires_at - clock_timestamp() - interval '300 milliseconds' as passed from api_keys where id = $1)
       where id = $1`,
      [apiKey.id],
    );
    const end = await endOfPreviousSecret();
    const observed = await Promise.all([apiKey.key, key].map((secret) => observeEnd([service], secret, end)));
    expect(observed).toEqual([apiKey.key, key].map(() => ({ acceptedLate: 0, rejectedEarly: 0 })));
  });

  it('should all be rejected once the key is deleted', async () => {
    const key = await rotateWithGrace(600);
    expect((await remove(apiKey.id)).status).toBe(200);
    expect(await statusesOf([apiKey.key, key])).toEqual([401, 401]);
  });

  it('should all be rejected if the key is deleted while it is rotated', async () => {
    const [rotated, deleted] = await Promise.all([rotate(apiKey.id, { gracePeriodSeconds: 600 }), remove(apiKey.id)]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(rotated.status);
    const { key = generateApiKey() } = rotated.body as { key?: string };
    expect(await statusesOf([apiKey.key, key])).toEqual([401, 401]);
  });
});
