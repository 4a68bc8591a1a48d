import { readAuditEvents } from '../factories/audit-events.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;
let member: Member;

beforeEach(async () => {
  owner = await createMember(service);
  member = await createMember(service, { organizationId: owner.organizationId });
});

const remove = (query: string, token = owner.token) =>
  call(service.url, `DELETE /members/${member.membershipId}${query}`, { token });
const use = async ({ key }: CreatedKey) => (await call(service.url, 'GET /v1/models', { token: key })).status;
const actionsOf = async () =>
  (await readAuditEvents(service, { organizationId: owner.organizationId })).map(({ action }) => action);
const isMember = async () => {
  const members = await service.query('select from memberships where id = $1', [member.membershipId]);
  return members.length === 1;
};

describe('DELETE /members/{id} with keys', () => {
  it.each(['', '?keys=keep'])('should keep them with the query “%s”', async (query) => {
    const key = await createApiKey(service, member);
    const { status, body } = await remove(query);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'The member was removed. Their requests to this organization are now rejected.',
    });
    expect(await use(key)).toBe(200);
  });

  it("should reject all of the member's keys immediately with delete, and no others", async () => {
    const keys = [await createApiKey(service, member), await createApiKey(service, member)];
    const kept = await createApiKey(service, owner);
    const { status, body } = await remove('?keys=delete');
    expect(status).toBe(200);
    expect(body).toMatchObject({ message: expect.stringMatching(/ 2 API keys were deleted\.$/) as string });
    expect(await Promise.all(keys.map(use))).toEqual([401, 401]);
    expect(await use(kept)).toBe(200);
    expect((await actionsOf()).sort()).toEqual(
      [
        'api-key.create',
        'api-key.create',
        'api-key.create',
        'api-key.delete',
        'api-key.delete',
        'member.delete',
      ].sort(),
    );
  });

  it('should reject them with disable until they are enabled again, and record only those that changed', async () => {
    const key = await createApiKey(service, member);
    const disabled = await createApiKey(service, member);
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

  it("should not touch the member's keys in another organization", async () => {
    const other = await createMember(service);
    const elsewhere = await createApiKey(service, { ...other, userId: member.userId });
    await remove('?keys=delete');
    expect(await use(elsewhere)).toBe(200);
  });

  it.each([
    ['disable', 'update-api-keys'],
    ['delete', 'delete-api-keys'],
  ] as const)('should change nothing and return 403 for %s without %s', async (keys, permission) => {
    const key = await createApiKey(service, member);
    const { token } = await createMember(service, {
      organizationId: owner.organizationId,
      permissions: ['delete-members', 'get-api-keys'],
    });
    const { status, body } = await remove(`?keys=${keys}`, token);
    expect(status).toBe(403);
    expect(body).toMatchObject({ detail: expect.stringContaining(permission) as string });
    expect([await isMember(), await use(key)]).toEqual([true, 200]);
  });

  it('should change nothing and return 409 if the organization would lose its last administrator', async () => {
    const key = await createApiKey(service, owner);
    const route = `DELETE /members/${owner.membershipId}?keys=delete`;
    await service.query("update roles set permissions = '{delete-members,delete-api-keys}' where id = $1", [
      member.roleId,
    ]);
    expect((await call(service.url, route, { token: member.token })).status).toBe(409);
    expect(await use(key)).toBe(200);
  });

  it('should change nothing and return 409 for more than 1,000 keys', async () => {
    const key = await createApiKey(service, member);
    await service.query(
      `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, created_by_id)
       select gen_random_uuid(), $1, 'A key', 'a key', 'kc_abcde', sha256(random()::text::bytea), $2
       from generate_series(1, 1000)`,
      [owner.organizationId, member.userId],
    );
    const { status, body } = await remove('?keys=delete');
    expect(status).toBe(409);
    expect(body).toMatchObject({ detail: expect.stringContaining('more than 1,000 API keys') as string });
    expect([await isMember(), await use(key)]).toEqual([true, 200]);
  });

  it.each(['?keys=', '?keys=all', '?keys=keep&keys=delete', '?force=true'])(
    'should change nothing and return 400 for %s',
    async (query) => {
      const key = await createApiKey(service, member);
      expect((await remove(query)).status).toBe(400);
      expect([await isMember(), await use(key)]).toEqual([true, 200]);
    },
  );
});
