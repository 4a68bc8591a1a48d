import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';
import { report as reportAsScanner } from './reports.js';

const [service, replica] = useReplicas();
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member, 'Search indexer');
});

const manage = (route: string, body?: unknown, token = member.token) => call(service.url, route, { token, body });
const report = (id = key.id, token = member.token) => manage(`POST /api-keys/${id}/report-leak`, undefined, token);
const show = async () => (await manage(`GET /api-keys/${key.id}`)).body as ApiKeyDetailsDto;
const rotate = async (gracePeriodSeconds: number) =>
  ((await manage(`POST /api-keys/${key.id}/rotate`, { gracePeriodSeconds })).body as { key: string }).key;
const statusesOf = (secret: string) =>
  Promise.all([service, replica].map(({ url }) => call(url, 'GET /v1/models', { token: secret }))).then((responses) =>
    responses.map(({ status }) => status),
  );
const leakEvents = async () =>
  (await readAuditEvents(service, { organizationId: member.organizationId })).filter(
    ({ action }) => action === 'api-key.leak',
  );

describe('POST /api-keys/{id}/report-leak', () => {
  it('should reject all secrets of the key immediately, on every replica', async () => {
    const current = await rotate(3600);
    expect(await statusesOf(key.key)).toEqual([200, 200]);
    expect((await report()).status).toBe(200);
    expect(await statusesOf(current)).toEqual([403, 403]);
    expect(await statusesOf(key.key)).toEqual([401, 401]);
  });

  it('should show the leak on the key and in the list, and record who reported it', async () => {
    await report();
    expect(await show()).toMatchObject({ enabled: false, leak: { url: null, source: 'member', secret: 'current' } });
    const { apiKeys } = (await manage('GET /api-keys?state=leaked')).body as ApiKeyListDto;
    expect(apiKeys.map(({ id }) => id)).toEqual([key.id]);
    expect(await leakEvents()).toMatchObject([
      { actorId: member.userId, targetId: key.id, after: { secret: 'current', outcome: 'disabled' } },
    ]);
  });

  it.each(['current', 'removed'])('should name a %s member who reported it on the key', async (state) => {
    const colleague = await createColleague(service, member, 'Grace Hopper');
    await report(key.id, colleague.token);
    if (state === 'removed') {
      await removeMember(service, colleague, member);
      await service.query("update users set name = 'Another name' where id = $1", [colleague.userId]);
    }
    const reportedBy = { kind: 'user', id: colleague.userId, name: 'Grace Hopper' };
    expect((await show()).leak).toMatchObject({ reportedBy });
  });

  it('should name a service account that reported it', async () => {
    const account = await createServiceAccount(service, member);
    await report(key.id, await tokenOf(service, account));
    const { id, name } = account;
    expect((await show()).leak?.reportedBy).toEqual({ kind: 'service-account', id, name });
  });

  it('should name no one if a scanner reported the key first, even as a member', async () => {
    await reportAsScanner(service, { token: key.key, source: 'member' });
    await manage(`PATCH /api-keys/${key.id}`, { enabled: true });
    await report();
    expect((await show()).leak).not.toHaveProperty('reportedBy');
  });

  it('should keep the leaked secret revoked when the key is rotated and enabled again', async () => {
    await report();
    const replaced = await rotate(3600);
    await manage(`PATCH /api-keys/${key.id}`, { enabled: true });
    expect(await statusesOf(key.key)).toEqual([401, 401]);
    expect(await statusesOf(replaced)).toEqual([200, 200]);
    expect(await show()).not.toHaveProperty('leak');
  });

  it('should change and record nothing the second time', async () => {
    await report();
    const { leak, updatedAt } = await show();
    expect((await report()).status).toBe(200);
    expect(await show()).toMatchObject({ leak, updatedAt });
    expect(await leakEvents()).toHaveLength(1);
  });

  it('should not be found for unknown keys and those of other organizations', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    for (const id of [...unknownIds, foreign.id]) expect((await report(id)).status).toBe(404);
    expect(await statusesOf(foreign.key)).toEqual([200, 200]);
  });

  it('should require the permission to update keys', async () => {
    expect((await call(service.url, `POST /api-keys/${key.id}/report-leak`)).status).toBe(401);
    const { organizationId } = member;
    const reader = await createMember(service, { organizationId, permissions: ['get-api-keys'] });
    expect((await report(key.id, reader.token)).status).toBe(403);
    expect(await statusesOf(key.key)).toEqual([200, 200]);
  });
});
