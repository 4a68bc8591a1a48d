import { randomUUID } from 'node:crypto';
import { allPermissions } from '../../src/access/permissions.js';
import type { AuditKeyListDto } from '../../src/audit/dto/audit-key.dto.js';
import { auditKeysParameters, selectAuditKeys } from '../../src/audit/read-audit-keys.js';
import { createApiKey } from '../factories/api-keys.js';
import { insertAuditEvents, insertManySignIns, recordKeyCreation } from '../factories/audit-log.js';
import { createColleague, createMember, type Member } from '../factories/organizations.js';
import { createMemberOn, report } from '../leaked-keys/reports.js';
import { call } from '../setup/call.js';
import { rowsReadBy, type PlanNode } from '../setup/query-plan.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const get = (search: string, { token } = owner) =>
  call(service.url, `GET /audit-events/api-keys?search=${encodeURIComponent(search)}`, { token });
const find = async (search: string, member?: Member) => ((await get(search, member)).body as AuditKeyListDto).apiKeys;
const change = (route: string, body?: object) =>
  call(service.url, route, { token: owner.token, ...(body && { body }) });
const hintOf = (key: string) => key.slice(0, 8);

describe('GET /audit-events/api-keys', () => {
  it.each(['current', 'deleted'])('should find a %s key by part of its name, and by its id', async (state) => {
    const { id, key } = await createApiKey(service, owner, 'billing-prod');
    await createApiKey(service, owner, 'Search indexer');
    if (state === 'deleted') await change(`DELETE /api-keys/${id}`);
    const found = [{ id, name: 'billing-prod', hint: hintOf(key), isDeleted: state === 'deleted' }];
    expect(await find('ling-pr')).toEqual(found);
    expect(await find('ＢＩＬＬＩＮＧ')).toEqual(found);
    expect(await find(id)).toEqual(found);
    expect(await find(id.toUpperCase())).toEqual(found);
  });

  it('should find a deleted key once usage reports have forgotten it', async () => {
    const { id } = await createApiKey(service, owner, 'billing-prod');
    await change(`DELETE /api-keys/${id}`);
    await service.query('delete from deleted_api_keys where id = $1', [id]);
    expect(await find('billing-prod')).toMatchObject([{ id, isDeleted: true }]);
  });

  it('should find a key that was deleted because it leaked', async () => {
    owner = await createMemberOn(service, 'delete');
    const { id, key } = await createApiKey(service, owner, 'billing-prod');
    await report(service, { token: key });
    expect(await find('billing')).toEqual([{ id, name: 'billing-prod', hint: hintOf(key), isDeleted: true }]);
  });

  it.each(['current', 'deleted'])('should find a %s key by a name from before it was renamed', async (state) => {
    const { id, key } = await createApiKey(service, owner, 'Ünïque billing');
    await change(`PATCH /api-keys/${id}`, { name: 'payments' });
    if (state === 'deleted') await change(`DELETE /api-keys/${id}`);
    const renamed = { id, name: 'payments', hint: hintOf(key), isDeleted: state === 'deleted' };
    expect(await find('ÜNÏQUE')).toEqual([{ ...renamed, formerName: 'Ünïque billing' }]);
    expect(await find('payments')).toEqual([renamed]);
  });

  it('should return each key once, with the hint of its current secret', async () => {
    const { id } = await createApiKey(service, owner, 'billing');
    await change(`PATCH /api-keys/${id}`, { name: 'billing-prod' });
    await change(`POST /api-keys/${id}/rotate`, { gracePeriodSeconds: 0 });
    const [row] = await service.query<{ hint: string }>('select hint from api_keys where id = $1', [id]);
    expect(await find('billing')).toEqual([{ id, name: 'billing-prod', hint: row?.hint, isDeleted: false }]);
  });

  it('should return at most 20, a whole name first, and the newest first of those with one name', async () => {
    for (let number = 0; number < 22; number += 1) await recordKeyCreation(service, owner, `a prod ${number}`);
    const older = await recordKeyCreation(service, owner, 'prod');
    const newer = await recordKeyCreation(service, owner, 'prod');
    const found = await find('prod');
    expect(found.slice(0, 3).map(({ id, name }) => [id, name])).toEqual([
      [newer, 'prod'],
      [older, 'prod'],
      [expect.any(String), 'a prod 0'],
    ]);
    expect(found).toHaveLength(20);
  });

  it('should return only keys of the requested state, however many others match better', async () => {
    const { id: deleted } = await createApiKey(service, owner, 'billing-prod');
    await change(`DELETE /api-keys/${deleted}`);
    const current = new Set<string>();
    for (let number = 0; number < 21; number += 1) current.add((await createApiKey(service, owner, 'billing')).id);
    const findIn = async (state: string) => {
      const { body } = await change(`GET /audit-events/api-keys?search=billing&state=${state}`);
      return (body as AuditKeyListDto).apiKeys;
    };
    expect(await findIn('deleted')).toMatchObject([{ id: deleted, isDeleted: true }]);
    expect((await findIn('current')).filter(({ id }) => current.has(id))).toHaveLength(20);
  });

  it('should reject an unknown state', async () => {
    const { status, body } = await change('GET /audit-events/api-keys?search=billing&state=rotated');
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'state' }] });
  });

  it('should find a current key whose creation is no longer in the log, only with the permission to list keys', async () => {
    const { id } = await createApiKey(service, owner, 'billing-prod');
    // As the deletion of old events does.
    await service.query('alter table audit_events disable trigger user');
    await service.query('delete from audit_events where target_id = $1', [id]);
    await service.query('alter table audit_events enable trigger user');
    expect(await find('billing')).toMatchObject([{ id, name: 'billing-prod', isDeleted: false }]);
    const permissions = allPermissions.filter((permission) => permission !== 'get-api-keys');
    const auditor = await createColleague(service, owner, 'Auditor', { permissions });
    expect(await find('billing', auditor)).toEqual([]);
    expect(await find(id, auditor)).toEqual([]);
  });

  it('should only find keys of the current organization', async () => {
    const other = await createMember(service);
    const ids = [];
    for (const name of ['billing-prod', 'billing-test']) ids.push((await createApiKey(service, other, name)).id);
    await call(service.url, `DELETE /api-keys/${ids[1]}`, { token: other.token });
    expect(await find('billing', other)).toHaveLength(2);
    for (const search of ['billing', ...ids]) expect(await find(search)).toEqual([]);
  });

  it.each([
    ['missing', ''],
    ['too long', 'x'.repeat(101)],
  ])('should reject a search that is %s', async (_title, search) => {
    const { status, body } = await get(search);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'search' }] });
  });

  it('should read neither the other events of a long log nor those of other organizations', async () => {
    const other = await createMember(service);
    await insertManySignIns(service, owner, 20_000);
    for (const member of [owner, other]) {
      const [id, targetId] = [member.userId, randomUUID()];
      const target = {
        actorId: id,
        targetId,
        targetKind: 'api-key' as const,
        targetName: 'prod',
        targetHint: 'kc_4fT9q',
      };
      const changed = Array.from({ length: 5000 }, () => ({
        ...target,
        action: 'api-key.update' as const,
        after: { tags: [] },
      }));
      await insertAuditEvents(service, member, [
        { ...target, action: 'api-key.create', after: { name: 'prod' } },
        ...changed,
      ]);
    }
    await service.query('analyze audit_events');
    const parameters = auditKeysParameters({ ...owner, search: 'prod', listsKeys: true });
    const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${selectAuditKeys}`,
      parameters,
    );
    expect(row && rowsReadBy(row['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(10);
  });
});
