import { RetentionService } from '../../src/retention/retention.service.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, requestToken, tokenOf } from '../factories/service-accounts.js';
import { recordUsage, recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { withRefreshToken } from '../setup/cookies.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service, replica] = useReplicas();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const remove = (token?: string, { url } = service) => call(url, 'DELETE /organizations/current', { token });
const tryKey = async (token: string, { url } = service) => (await call(url, 'GET /v1/models', { token })).status;
const me = (token: string, { url } = service) => call(url, 'GET /auth/me', { token });
const refresh = ({ refreshToken }: Member) =>
  call(service.url, 'POST /auth/refresh', { headers: withRefreshToken(refreshToken) });

describe('DELETE /organizations/current', () => {
  it("should revoke all its keys immediately on both replicas, under load, and no other organization's", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createApiKey(service, member)));
    const { key: otherKey } = await createApiKey(service, await createMember(service));
    let isDeleted = false;
    let isOver = false;
    const statuses = { before: new Set<number>(), after: new Set<number>(), other: new Set<number>() };
    const sendRequests = async (worker: number) => {
      for (let round = worker; !isOver; round++) {
        const app = round % 2 === 0 ? service : replica;
        const wasDeleted = isDeleted;
        const status = await tryKey(keys[round % keys.length]?.key ?? '', app);
        if (wasDeleted) statuses.after.add(status);
        else if (!isDeleted) statuses.before.add(status);
        statuses.other.add(await tryKey(otherKey, app));
      }
    };
    const workers = Array.from({ length: 10 }, (_, worker) => sendRequests(worker));
    await waitFor(() => statuses.before.has(200));
    const deletion = await remove(member.token);
    isDeleted = true;
    for (const { key } of keys) expect([await tryKey(key), await tryKey(key, replica)]).toEqual([401, 401]);
    isOver = true;
    await Promise.all(workers);
    expect(deletion.status).toBe(200);
    expect([...statuses.after]).toEqual([401]);
    expect([...statuses.other]).toEqual([200]);
  });

  it('should also revoke keys that are created at the same time', async () => {
    const create = () => call(service.url, 'POST /api-keys', { token: member.token, body: { name: 'A key' } });
    const [deletion, ...creations] = await Promise.all([remove(member.token), create(), create(), create()]);
    expect(deletion.status).toBe(200);
    for (const { status, body } of creations) {
      expect([201, 401]).toContain(status);
      if (status === 201) expect(await tryKey((body as { key: string }).key)).toBe(401);
    }
    expect(await service.query('select from api_keys where organization_id = $1', [member.organizationId])).toEqual([]);
  });

  it('should end the access of members and service accounts on both replicas', async () => {
    const { organizationId } = member;
    const colleague = await createMember(service, { organizationId });
    const account = await createServiceAccount(service, member);
    const accountToken = await tokenOf(service, account);
    const listKeys = async (token: string, { url }: { url: string }) =>
      (await call(url, 'GET /api-keys', { token })).status;
    expect(await listKeys(accountToken, replica)).toBe(200);
    expect((await remove(member.token)).status).toBe(200);
    for (const token of [member.token, colleague.token]) expect((await me(token, replica)).status).toBe(401);
    expect(await listKeys(accountToken, replica)).toBe(401);
    expect((await requestToken(service, account)).status).toBe(401);
  });

  it('should withdraw invitations', async () => {
    const body = { email: 'newcomer@example.com', roleId: member.roleId };
    const invitation = await call(service.url, 'POST /members', { token: member.token, body });
    const [, token] = (invitation.body as { link: string }).link.split('#token=');
    await remove(member.token);
    expect((await call(service.url, 'POST /auth/preview-invitation', { body: { token } })).status).toBe(404);
  });

  it('should continue sessions of its members in another of their organizations', async () => {
    const { organizationId } = await createMember(service);
    const inBoth = await createMember(service, { organizationId });
    await addMembership(service, { userId: inBoth.userId, organizationId: member.organizationId });
    await call(service.url, 'POST /auth/switch-organization', {
      token: inBoth.token,
      body: { organizationId: member.organizationId },
    });
    await remove(member.token);
    const { status, body } = await refresh(inBoth);
    expect(status).toBe(200);
    const { accessToken } = body as { accessToken: string };
    expect((await me(accessToken)).body).toMatchObject({ organization: { id: organizationId } });
    const switching = { token: accessToken, body: { organizationId: member.organizationId } };
    expect((await call(service.url, 'POST /auth/switch-organization', switching)).status).toBe(404);
    const list = await call(service.url, 'GET /organizations', { token: accessToken });
    expect(list.body).toMatchObject({ organizations: [{ id: organizationId }] });
    expect((list.body as { organizations: unknown[] }).organizations).toHaveLength(1);
  });

  it('should keep the accounts of members without another organization, who get a clear error', async () => {
    await remove(member.token);
    const { status, body } = await refresh(member);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'no-organization' });
    expect(await service.query('select from users where id = $1', [member.userId])).toHaveLength(1);
  });

  it('should be possible for a service account with the permission', async () => {
    const account = await createServiceAccount(service, member, ['delete-organization']);
    expect((await remove(await tokenOf(service, account))).status).toBe(200);
    expect((await me(member.token)).status).toBe(401);
  });

  it('should keep the audit log, with an event of the deletion, and log it', async () => {
    const { organizationId, userId } = member;
    await call(service.url, 'PATCH /organizations/current', { token: member.token, body: { name: 'Renamed' } });
    await createApiKey(service, member);
    await remove(member.token);
    expect(await readAuditEvents(service, { organizationId })).toMatchObject([
      { action: 'organization.update' },
      { action: 'api-key.create' },
      { action: 'organization.delete', actorId: userId, targetId: organizationId, targetName: 'Renamed' },
    ]);
    // Nest's logger is the one of the app that started last.
    const lines = [...service.logLines, ...replica.logLines].filter((line) => line.includes('Organization deleted.'));
    expect(JSON.parse(lines.find((line) => line.includes(organizationId)) ?? '{}')).toMatchObject({
      organizationId,
      name: 'Renamed',
      actorId: userId,
      deleted: { api_keys: 1, memberships: 1 },
    });
  });

  it('should return 409 for the only organization, even if both of two are deleted at the same time', async () => {
    const other = await createMember(service);
    await service.query('update organizations set deleted_at = now() where deleted_at is null and id <> all ($1)', [
      [member.organizationId, other.organizationId],
    ]);
    const responses = await Promise.all([remove(member.token), remove(other.token, replica)]);
    const [done, refused] = responses.toSorted((one, another) => one.status - another.status);
    expect([done?.status, refused?.status]).toEqual([200, 409]);
    expect(refused?.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('only') as string });
    const remaining = responses[0]?.status === 409 ? member : other;
    expect((await me(remaining.token)).status).toBe(200);
  });

  it('should return 401 without a token, and 403 without the permission', async () => {
    expect((await remove()).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['update-organization'] });
    expect((await remove(token)).body).toMatchObject({ code: 'missing-permission' });
    expect((await me(token)).status).toBe(200);
  });
});

describe('Retention', () => {
  const tables = [
    'usage',
    'usage_series',
    'failed_requests',
    'request_chunks',
    'failure_counts',
    'deleted_api_keys',
    'limit_counters',
  ];

  const countRows = async ({ organizationId }: Member) => {
    const counts = tables.map((table) => `(select count(*) from ${table} where organization_id = $1)`).join(' + ');
    const [row] = await service.query<{ count: number }>(`select (${counts})::int as count`, [organizationId]);
    return row?.count;
  };

  /** Leaves rows in all tables that the deletion of an organization doesn't clean up. */
  async function useOrganization(user: Member): Promise<void> {
    const { organizationId } = user;
    const { id: apiKeyId, key } = await createApiKey(service, user);
    await setLimits(service, { keyId: apiKeyId }, [{ metric: 'requests', per: 'day', max: 10 }]);
    const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000).toISOString();
    await recordUsageAt(service, threeDaysAgo, [{ organizationId, apiKeyId }]);
    await call(service.url, 'POST /v1/embeddings', { token: key, body: { model: 'unknown', input: 'a' } });
    for (const table of ['failed_requests', 'request_chunks']) {
      const find = () => service.query(`select from ${table} where api_key_id = $1`, [apiKeyId]);
      await waitFor(async () => (await find()).length === 1);
    }
    const deleted = await createApiKey(service, user);
    await call(service.url, `DELETE /api-keys/${deleted.id}`, { token: user.token });
    await service.app.get(RetentionService).run();
    await recordUsage(service, [{ organizationId, apiKeyId }]);
  }

  it('should delete the usage and other records of deleted organizations, and of no other', async () => {
    const other = await createMember(service);
    await useOrganization(member);
    await useOrganization(other);
    const before = await countRows(other);
    expect(await countRows(member)).toBe(before);
    await remove(member.token);
    await service.app.get(RetentionService).run();
    expect(await countRows(member)).toBe(0);
    expect(await countRows(other)).toBe(before);
  });

  it('should delete a deleted organization after 30 days, once it has no audit events', async () => {
    const [recent, recorded] = [await createMember(service), await createMember(service)];
    await call(service.url, 'PATCH /organizations/current', { token: recorded.token, body: { name: 'Renamed' } });
    const ids = [member, recent, recorded].map(({ organizationId }) => organizationId);
    await service.query(`update organizations set deleted_at = now() - interval '31 days' where id = any ($1)`, [ids]);
    await service.query('update organizations set deleted_at = now() where id = $1', [recent.organizationId]);
    await service.app.get(RetentionService).run();
    const left = await service.query<{ id: string }>('select id from organizations where id = any ($1)', [ids]);
    expect(left.map(({ id }) => id).sort()).toEqual([recent.organizationId, recorded.organizationId].sort());
  });
});
