import { DataSource } from 'typeorm';
import { readAuditEvents } from '../factories/audit-events.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf, type TestServiceAccount } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();
let owner: Member;
let member: Member;
let account: TestServiceAccount;

beforeEach(async () => {
  owner = await createMember(service);
  member = await createMember(service, { organizationId: owner.organizationId });
  account = await createServiceAccount(service, owner);
});

const memberCreator = {
  path: () => `/members/${member.membershipId}`,
  isProgram: false,
  removal: { action: 'member.delete', permission: 'delete-members' },
  message: 'The member was removed. Their requests to this organization are now rejected.',
  createKey: () => createApiKey(service, member),
  ids: () => ({ created_by_id: member.userId, created_by_service_account_id: null }),
  exists: async () =>
    (await service.query('select from memberships where id = $1', [member.membershipId])).length === 1,
} as const;

const accountCreator = {
  path: () => `/service-accounts/${account.id}`,
  isProgram: true,
  removal: { action: 'service-account.delete', permission: 'delete-service-accounts' },
  message: 'The service account was deleted. Its requests are now rejected.',
  createKey: async (): Promise<CreatedKey> => {
    const token = await tokenOf(service, account);
    const { body, headers } = await call(service.url, 'POST /api-keys', { token, body: { name: 'A key' } });
    return { id: headers.get('location')?.split('/').at(-1) ?? '', key: (body as CreatedKey).key };
  },
  ids: () => ({ created_by_id: null, created_by_service_account_id: account.id }),
  exists: async () => (await service.query('select from service_accounts where id = $1', [account.id])).length === 1,
} as const;

const use = async ({ key }: CreatedKey) => (await call(service.url, 'GET /v1/models', { token: key })).status;
const actionsOf = async () =>
  (await readAuditEvents(service, { organizationId: owner.organizationId }))
    .map(({ action }) => action)
    .filter((action) => action !== 'sign-in');

describe.each([
  ['DELETE /members/{id} with keys', memberCreator],
  ['DELETE /service-accounts/{id} with keys', accountCreator],
])('%s', (_, { path, isProgram, removal, message, createKey, ids, exists }) => {
  const remove = (query: string, token = owner.token) => call(service.url, `DELETE ${path()}${query}`, { token });

  it.each(['', '?keys=keep'])('should keep them with the query “%s”', async (query) => {
    const key = await createKey();
    const { status, body } = await remove(query);
    expect(status).toBe(200);
    expect(body).toEqual({ message });
    expect(await use(key)).toBe(200);
  });

  it('should reject all of their keys immediately with delete, and no others', async () => {
    const keys = [await createKey(), await createKey()];
    const kept = await createApiKey(service, owner);
    const { status, body } = await remove('?keys=delete');
    expect(status).toBe(200);
    expect(body).toMatchObject({ message: expect.stringMatching(/ 2 API keys were deleted\.$/) as string });
    expect(await Promise.all(keys.map(use))).toEqual([401, 401]);
    expect(await use(kept)).toBe(200);
    expect((await actionsOf()).sort()).toEqual(
      ['api-key.create', 'api-key.create', 'api-key.create', 'api-key.delete', 'api-key.delete', removal.action].sort(),
    );
  });

  it('should reject them with disable until they are enabled again, and record only those that changed', async () => {
    const key = await createKey();
    const disabled = await createKey();
    await service.query('update api_keys set enabled = false where id = $1', [disabled.id]);
    expect((await remove('?keys=disable')).body).toMatchObject({
      message: expect.stringMatching(/ 1 API key was disabled\.$/) as string,
    });
    expect(await use(key)).toBe(403);
    const events = await readAuditEvents(service, { organizationId: owner.organizationId });
    expect(events.filter(({ action }) => action === 'api-key.update')).toMatchObject([
      { targetId: key.id, before: { enabled: true }, after: { enabled: false } },
    ]);
    const body = { enabled: true };
    await call(service.url, `PATCH /api-keys/${key.id}`, { token: owner.token, body });
    expect(await use(key)).toBe(200);
  });

  it('should reject a key that they create at the same time', async () => {
    const token = isProgram ? await tokenOf(service, account) : member.token;
    const other = service.app.get(DataSource).createQueryRunner();
    try {
      await other.startTransaction();
      await other.query('select from organizations where id = $1 for no key update', [owner.organizationId]);
      const removing = remove('?keys=delete');
      await waitFor(async () => (await countLockWaits(service)) === 1);
      const creating = call(service.url, 'POST /api-keys', { token, body: { name: 'Too late' } });
      await waitFor(async () => (await countLockWaits(service)) === 2);
      await other.commitTransaction();
      expect([(await removing).status, (await creating).status]).toEqual([200, 401]);
    } finally {
      await other.release();
    }
    expect(await service.query('select from api_keys where organization_id = $1', [owner.organizationId])).toEqual([]);
  });

  it('should not touch their keys in another organization', async () => {
    const elsewhere = await createApiKey(service, await createMember(service));
    const { created_by_id: userId, created_by_service_account_id: accountId } = ids();
    const creators = 'created_by_id = $2, created_by_service_account_id = $3';
    await service.query(`update api_keys set ${creators} where id = $1`, [elsewhere.id, userId, accountId]);
    await remove('?keys=delete');
    expect(await use(elsewhere)).toBe(200);
  });

  it.each([
    ['disable', 'update-api-keys'],
    ['delete', 'delete-api-keys'],
  ] as const)('should change nothing and return 403 for %s without %s', async (keys, permission) => {
    const key = await createKey();
    const { token } = await createMember(service, {
      organizationId: owner.organizationId,
      permissions: [removal.permission, 'get-api-keys'],
    });
    const { status, body } = await remove(`?keys=${keys}`, token);
    expect(status).toBe(403);
    expect(body).toMatchObject({ detail: expect.stringContaining(permission) as string });
    expect([await exists(), await use(key)]).toEqual([true, 200]);
  });

  it('should change nothing and return 409 for more than 1,000 keys', async () => {
    const key = await createKey();
    await service.query(
      `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, created_by_id, created_by_service_account_id)
       select gen_random_uuid(), $1, 'A key', 'a key', 'kc_abcde', sha256(random()::text::bytea), $2, $3
       from generate_series(1, 1000)`,
      [owner.organizationId, ids().created_by_id, ids().created_by_service_account_id],
    );
    const { status, body } = await remove('?keys=delete');
    expect(status).toBe(409);
    expect(body).toMatchObject({ detail: expect.stringContaining('more than 1,000 API keys') as string });
    expect([await exists(), await use(key)]).toEqual([true, 200]);
  });

  it.each(['?keys=', '?keys=all', '?keys=keep&keys=delete', '?force=true'])(
    'should change nothing and return 400 for %s',
    async (query) => {
      const key = await createKey();
      expect((await remove(query)).status).toBe(400);
      expect([await exists(), await use(key)]).toEqual([true, 200]);
    },
  );
});

describe('DELETE /members/{id} with keys', () => {
  it('should change nothing and return 409 if the organization would lose its last administrator', async () => {
    const key = await createApiKey(service, owner);
    const route = `DELETE /members/${owner.membershipId}?keys=delete`;
    await service.query("update roles set permissions = '{delete-members,delete-api-keys}' where id = $1", [
      member.roleId,
    ]);
    expect((await call(service.url, route, { token: member.token })).status).toBe(409);
    expect(await use(key)).toBe(200);
  });
});

describe('DELETE /service-accounts/{id} with keys', () => {
  it('should let a service account delete itself with its keys', async () => {
    const key = await accountCreator.createKey();
    const token = await tokenOf(service, account);
    const { status } = await call(service.url, `DELETE ${accountCreator.path()}?keys=delete`, { token });
    expect(status).toBe(200);
    expect(await use(key)).toBe(401);
    const events = await readAuditEvents(service, { organizationId: owner.organizationId });
    expect(events.filter(({ action }) => action.endsWith('.delete'))).toMatchObject([
      { action: 'api-key.delete', actorId: account.id, actorName: account.name },
      { action: 'service-account.delete', actorId: account.id, actorName: account.name },
    ]);
  });

  it('should return 404 and change nothing in another organization', async () => {
    const key = await accountCreator.createKey();
    const { token } = await createMember(service);
    expect((await call(service.url, `DELETE ${accountCreator.path()}?keys=delete`, { token })).status).toBe(404);
    expect([await accountCreator.exists(), await use(key)]).toEqual([true, 200]);
  });
});
