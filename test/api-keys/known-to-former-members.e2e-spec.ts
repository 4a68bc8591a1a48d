import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import type { AttentionDto } from '../../src/overview/dto/attention.dto.js';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import { createApiKey, createApiKeyWith, rotateApiKey } from '../factories/api-keys.js';
import { insertAuditEvents } from '../factories/audit-log.js';
import { addMembership, createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, deleteServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { runAdmin } from '../setup/run-admin.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let ada: Member;
let grace: Member;

beforeEach(async () => {
  ada = await createMember(service);
  grace = await createColleague(service, ada, 'Grace Hopper');
});

async function attentionOf({ token }: Pick<Member, 'token'> = ada): Promise<AttentionDto | undefined> {
  const { body } = await call(service.url, 'GET /overview', { token });
  return (body as OverviewDto).attention.find(({ kind }) => kind === 'keys-known-to-former-members');
}

const list = (query: string, { token }: Pick<Member, 'token'> = ada) =>
  call(service.url, `GET /api-keys?state=known-to-former-members&${query}`, { token });

/** The keys of the list of all keys that are marked as known. */
async function findMarked({ token }: Pick<Member, 'token'>): Promise<string[]> {
  const path = 'GET /api-keys?include=knownToFormerMembers&orderBy=name&order=ASC&perPage=100';
  const { apiKeys } = (await call(service.url, path, { token })).body as ApiKeyListDto;
  return apiKeys.filter(({ knownToFormerMembers = [] }) => knownToFormerMembers.length > 0).map(({ name }) => name);
}

/** The keys of the list, which has to agree with the overview, and with the list of all keys. */
async function findNames(member: Pick<Member, 'token'> = ada): Promise<string[]> {
  const { total, apiKeys } = (await list('orderBy=name&order=ASC', member)).body as ApiKeyListDto;
  const names = apiKeys.map(({ name }) => name);
  const attention = await attentionOf(member);
  expect([total, attention?.count]).toEqual([names.length, names.length]);
  expect(attention?.first.map(({ name }) => name).sort()).toEqual(names);
  expect(await findMarked(member)).toEqual(names);
  return names;
}

/** Sets columns of a key. The event makes the overview read the keys again. */
async function set(id: string, assignments: string): Promise<void> {
  await service.query(`update api_keys set ${assignments} where id = $1`, [id]);
  await insertAuditEvents(service, ada, [{ action: 'api-key.update', targetKind: 'api-key', targetId: id }]);
}

describe('Keys with secrets that former members know', () => {
  it('should be those that a member created or rotated last, once they are removed', async () => {
    await createApiKey(service, grace, 'Created');
    await rotateApiKey(service, await createApiKey(service, ada, 'Rotated'), grace);
    await rotateApiKey(service, await createApiKey(service, grace, 'Created and rotated'), grace);
    await createApiKey(service, ada, 'Never seen');
    expect(await findNames()).toEqual([]);
    await removeMember(service, grace, ada);
    expect(await findNames()).toEqual(['Created', 'Created and rotated', 'Rotated']);
  });

  it('should leave out keys that a member rotated since, once the grace period ends', async () => {
    const created = await createApiKey(service, grace, 'Created');
    const rotated = await createApiKey(service, ada, 'Rotated');
    await rotateApiKey(service, rotated, grace);
    await removeMember(service, grace, ada);
    for (const key of [created, rotated]) await rotateApiKey(service, key, ada, 3600);
    expect(await findNames()).toEqual(['Created', 'Rotated']);
    await set(created.id, 'previous_secret_expires_at = now()');
    expect(await findNames()).toEqual(['Rotated']);
    await rotateApiKey(service, rotated, ada, 3600);
    expect(await findNames()).toEqual([]);
  });

  it('should leave out keys that are disabled, expired or deleted', async () => {
    const settings = { Disabled: 'enabled = false', Expired: 'expires_at = now()', Active: 'enabled = true' };
    for (const [name, assignment] of Object.entries(settings)) {
      const rotated = await createApiKey(service, ada, `${name}, rotated`);
      await rotateApiKey(service, rotated, grace);
      for (const { id } of [rotated, await createApiKey(service, grace, name)]) await set(id, assignment);
    }
    const { id } = await createApiKey(service, grace, 'Deleted');
    await removeMember(service, grace, ada);
    await call(service.url, `DELETE /api-keys/${id}`, { token: ada.token });
    expect(await findNames()).toEqual(['Active', 'Active, rotated']);
  });

  it('should include those of members who left, and of deleted accounts', async () => {
    await createApiKey(service, grace, 'Created');
    await rotateApiKey(service, await createApiKey(service, ada, 'Rotated'), grace);
    await call(service.url, 'DELETE /members/me', { token: grace.token });
    expect(await findNames()).toEqual(['Created', 'Rotated']);
    await runAdmin(service.database, 'delete-account', `${grace.userId}@example.com`);
    expect(await findNames()).toEqual(['Created', 'Rotated']);
  });

  it('should leave out keys of a former member who has rejoined', async () => {
    await createApiKey(service, grace, 'Created');
    await removeMember(service, grace, ada);
    await addMembership(service, grace);
    expect(await findNames()).toEqual([]);
  });

  it('should include those of deleted service accounts', async () => {
    const account = await createServiceAccount(service, ada);
    const token = await tokenOf(service, account);
    await createApiKeyWith(service, { token }, 'Created');
    await rotateApiKey(service, await createApiKey(service, ada, 'Rotated'), { token });
    expect(await findNames()).toEqual([]);
    await deleteServiceAccount(service, account, ada);
    expect(await findNames()).toEqual(['Created', 'Rotated']);
  });

  it('should be known by their creators only, once the audit log has lost the event', async () => {
    const [created, rotated, ofNoOne] = [
      await createApiKey(service, grace, 'Created'),
      await createApiKey(service, grace, 'Rotated'),
      await createApiKey(service, grace, 'Of no one'),
    ];
    await rotateApiKey(service, rotated, ada);
    // The log is append-only, so the secrets change instead.
    for (const { id } of [created, rotated, ofNoOne]) await set(id, "hint = 'kc_00000'");
    await set(ofNoOne.id, 'created_by_id = null');
    await removeMember(service, grace, ada);
    expect(await findNames()).toEqual(['Created']);
  });

  it('should be found in the current organization only, where the person may still be a member of another', async () => {
    const other = await createMember(service);
    const graceElsewhere = await addMembership(service, { ...other, userId: grace.userId });
    await createApiKey(service, graceElsewhere, 'Elsewhere');
    await createApiKey(service, grace, 'Here');
    await removeMember(service, grace, ada);
    expect(await findNames()).toEqual(['Here']);
    expect(await findNames(other)).toEqual([]);
    await removeMember(service, graceElsewhere, other);
    expect(await findNames(other)).toEqual(['Elsewhere']);
    expect(await findNames(await createMember(service))).toEqual([]);
  });

  it('should be named in the overview, the latest departure first', async () => {
    const edith = await createColleague(service, ada, 'Edith Clarke');
    await createApiKey(service, grace, 'Of Grace');
    const ofEdith = await createApiKey(service, edith, 'Of Edith');
    const both = await createApiKey(service, grace, 'Of both');
    await rotateApiKey(service, both, edith, 3600);
    await removeMember(service, grace, ada);
    await removeMember(service, edith, ada);
    await service.query("update former_members set removed_at = '2026-01-02T03:04:05Z' where user_id = $1", [
      grace.userId,
    ]);
    const { count, first = [] } = (await attentionOf()) ?? {};
    expect(count).toBe(3);
    expect(first.map(({ name }) => name)).toEqual(['Of Edith', 'Of both', 'Of Grace']);
    expect(first[0]).toMatchObject({ id: ofEdith.id, hint: ofEdith.key.slice(0, 8) });
    expect(first[2]).toMatchObject({ at: '2026-01-02T03:04:05.000Z' });
  });

  it('should say in the overview until when the previous secret works, if it is the only one they know', async () => {
    const onlyPrevious = await createApiKey(service, grace, 'Only previous');
    const both = await createApiKey(service, grace, 'Both');
    await rotateApiKey(service, both, grace, 3600);
    await removeMember(service, grace, ada);
    await rotateApiKey(service, onlyPrevious, ada, 3600);
    const { first = [] } = (await attentionOf()) ?? {};
    const { body } = await call(service.url, `GET /api-keys/${onlyPrevious.id}`, { token: ada.token });
    const { previousSecretExpiresAt } = body as ApiKeyDetailsDto;
    expect(previousSecretExpiresAt).toBeDefined();
    expect(new Map(first.map((item) => [item.name, item.previousSecretExpiresAt]))).toEqual(
      new Map([
        ['Only previous', previousSecretExpiresAt],
        ['Both', undefined],
      ]),
    );
  });

  it('should be combined with other filters, sorted and paged', async () => {
    for (const name of ['Search', 'Search, too', 'Invoices']) await createApiKey(service, grace, name);
    await createApiKey(service, ada, 'Search of Ada');
    await removeMember(service, grace, ada);
    expect((await list(`creatorId=${ada.userId}`)).body).toMatchObject({ total: 0 });
    for (const orderBy of ['name', 'createdAt', 'lastUsedAt', 'creator']) {
      const { body } = await list(`name=search&perPage=1&page=2&include=creator&orderBy=${orderBy}`);
      expect(body).toMatchObject({ total: 2, apiKeys: [{ createdBy: { id: grace.userId } }] });
    }
  });

  it('should require the permission to list keys', async () => {
    await createApiKey(service, grace, 'Created');
    await removeMember(service, grace, ada);
    const reader = await createColleague(service, ada, 'Reader', { permissions: ['get-api-keys'] });
    expect(await findNames(reader)).toEqual(['Created']);
    const auditor = await createColleague(service, ada, 'Auditor', {
      permissions: ['get-audit-events', 'get-members'],
    });
    expect((await list('', auditor)).status).toBe(403);
    expect(await attentionOf(auditor)).toBeUndefined();
  });

  it('should return 400 for another spelling of the state', async () => {
    for (const state of ['known-to-former-member', 'KNOWN-TO-FORMER-MEMBERS', 'known']) {
      expect((await call(service.url, `GET /api-keys?state=${state}`, { token: ada.token })).status).toBe(400);
    }
  });
});
