import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { AuditEventListDto } from '../../src/audit/dto/audit-event.dto.js';
import { allPermissions } from '../../src/access/permissions.js';
import { operatorEmail } from '../../src/audit/audit-actions.js';
import { createApiKey } from '../factories/api-keys.js';
import { insertAuditEvents, recordKeyCreation, testOrigin } from '../factories/audit-log.js';
import { createMember, type Member, removeMember } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const get = (query = '', token = member.token) => call(service.url, `GET /audit-events${query}`, { token });
const pageOf = (response: CallResponse) => response.body as AuditEventListDto;
const idsOf = (response: CallResponse) => pageOf(response).auditEvents.map(({ id }) => id);
const namesOf = (response: CallResponse) => pageOf(response).auditEvents.map(({ target }) => target.name);

/** Reads all pages, the newest event first. */
async function readPages(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const response = await get(`?${query}${cursor && `&cursor=${cursor}`}`);
    pages.push(idsOf(response));
    cursor = pageOf(response).nextCursor;
  }
  return pages;
}

describe('GET /audit-events', () => {
  it('should return exactly what was recorded', async () => {
    const keyId = await recordKeyCreation(service, member, 'Search indexer');
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      auditEvents: [
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
          occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
          actor: { kind: 'user', id: member.userId, email: `${member.userId}@example.com`, name: null },
          ...testOrigin,
          requestId: null,
          action: 'api-key.create',
          target: { kind: 'api-key', id: keyId, name: 'Search indexer', hint: 'kc_4fT9q' },
          before: null,
          after: { name: 'Search indexer' },
        },
      ],
      people: [{ id: member.userId, email: `${member.userId}@example.com`, name: 'A member' }],
      nextCursor: null,
    });
  });

  it('should return the ID of the request that caused each event', async () => {
    const requests = [];
    for (const prefix of ['first', 'second']) {
      const ids = [];
      for (const name of ['A', 'B']) ids.push((await createApiKey(service, member, `${prefix} ${name}`)).id);
      requests.push(await call(service.url, 'POST /api-keys/bulk-delete', { token: member.token, body: { ids } }));
    }
    const { auditEvents } = pageOf(await get('?action=api-key.delete'));
    const [first, second] = requests.map(({ headers }) => headers.get('x-request-id'));
    expect(auditEvents.map(({ requestId }) => requestId)).toEqual([second, second, first, first]);
  });

  it('should name current and former members, but no one else, and no one without permission to list members', async () => {
    const { organizationId } = member;
    const former = await createMember(service, { organizationId });
    const stranger = await createMember(service);
    await removeMember(service, former, member);
    await service.query('delete from users where id = $1', [former.userId]);
    await insertAuditEvents(service, { ...stranger, organizationId }, [{ action: 'sign-in-failed' }]);
    const emailOf = ({ userId }: Member) => `${userId}@example.com`;
    const nameOf = (person: Member) => ({ id: person.userId, email: emailOf(person), name: 'A member' });
    const { people } = pageOf(await get());
    expect(people).toHaveLength(2);
    expect(people).toEqual(expect.arrayContaining([nameOf(member), nameOf(former)]));
    const reader = await createMember(service, { organizationId, permissions: ['get-audit-events'] });
    expect(pageOf(await get('', reader.token)).people).toEqual([]);
  });

  it('should omit the hint for targets without one', async () => {
    await insertAuditEvents(service, member, [{ targetName: 'ada@example.com' }]);
    expect(pageOf(await get()).auditEvents[0]?.target).toStrictEqual({
      kind: 'user',
      id: null,
      name: 'ada@example.com',
    });
  });

  it('should list the newest first, 50 per page', async () => {
    for (let number = 1; number <= 51; number++) await recordKeyCreation(service, member, `Key ${number}`);
    const response = await get();
    expect(pageOf(response).auditEvents).toHaveLength(50);
    expect(namesOf(response)[0]).toBe('Key 51');
    const last = await get(`?cursor=${pageOf(response).nextCursor}`);
    expect(namesOf(last)).toEqual(['Key 1']);
    expect(pageOf(last).nextCursor).toBeNull();
  });

  it.each([
    [1, 7],
    [2, 4],
    [3, 3],
    [7, 1],
    [100, 1],
  ])('should not repeat or skip simultaneous events with %i per page', async (limit, pageCount) => {
    const occurredAt = new Date('2026-01-31T09:30:00.123Z');
    const ids = await insertAuditEvents(
      service,
      member,
      Array.from({ length: 7 }, () => ({ occurredAt })),
    );
    const pages = await readPages(`limit=${limit}`);
    expect(pages).toHaveLength(pageCount);
    expect(pages.flat()).toEqual(ids.sort().reverse());
  });

  it('should return each earlier event once while new ones are written', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 6; number++) ids.push(await recordKeyCreation(service, member, `Key ${number}`));
    const first = pageOf(await get('?limit=3'));
    await recordKeyCreation(service, member, 'A newer one');
    const rest = pageOf(await get(`?limit=3&cursor=${first.nextCursor}`));
    const targets = [...first.auditEvents, ...rest.auditEvents].map(({ target }) => target.id);
    expect(targets).toEqual(ids.reverse());
    expect(rest.nextCursor).toBeNull();
  });

  it('should order by the database clock, regardless of replica clocks', async () => {
    const [early, late] = ['01900000-0000-7000-8000-', '01800000-0000-7000-8000-'].map(
      (start) => start + randomUUID().slice(-12),
    );
    await insertAuditEvents(service, member, [
      { id: early, occurredAt: new Date('2026-01-01T00:00:00Z') },
      { id: late, occurredAt: new Date('2026-01-02T00:00:00Z') },
    ]);
    expect(idsOf(await get())).toEqual([late, early]);
  });

  describe('with filters', () => {
    const keyId = randomUUID();
    const actorId = randomUUID();
    beforeEach(async () => {
      const day = (number: number) => new Date(`2026-01-0${number}T00:00:00Z`);
      await insertAuditEvents(service, member, [
        { targetName: 'Unknown account', actorId: null, actorEmail: 'mallory@example.com', action: 'sign-in-failed' },
        {
          targetName: 'Role',
          targetKind: 'role',
          action: 'role.create',
          occurredAt: day(2),
          requestId: 'Request-1',
        },
        {
          targetName: 'Key',
          targetKind: 'api-key',
          targetId: keyId,
          targetHint: 'kc_4fT9q',
          action: 'api-key.create',
          occurredAt: day(3),
        },
        { targetName: 'Old key', targetKind: 'api-key', actorId, actorEmail: 'ada@example.com', occurredAt: day(1) },
      ]);
    });

    it.each([
      ['actorId', `actorId=${actorId}`, ['Old key']],
      ['actorId in capitals', `actorId=${actorId.toUpperCase()}`, ['Old key']],
      ['actorEmail', 'actorEmail=mallory@example.com', ['Unknown account']],
      ['actorEmail, ignoring case', 'actorEmail=Ada@Example.com', ['Old key']],
      ['action', 'action=role.create', ['Role']],
      ['targetKind', 'targetKind=api-key', ['Key', 'Old key']],
      ['targetId', `targetId=${keyId}`, ['Key']],
      ['targetHint', 'targetHint=kc_4fT9q', ['Key']],
      ['targetHint, in another case', 'targetHint=kc_4ft9q', []],
      ['requestId', 'requestId=Request-1', ['Role']],
      ['requestId, in another case', 'requestId=request-1', []],
      ['from, inclusive', 'from=2026-01-03T00:00:00Z', ['Unknown account', 'Key']],
      ['to, exclusive', 'to=2026-01-03T00:00:00Z', ['Role', 'Old key']],
      ['from and to', 'from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z', ['Role']],
      ['several at once', `targetKind=api-key&actorEmail=ada@example.com`, ['Old key']],
      ['nothing that matches', `actorId=${randomUUID()}`, []],
    ])('should return only matches for %s', async (_title, query, names) => {
      expect(namesOf(await get(`?${query}`))).toEqual(names);
    });

    it('should find what happened to a person by targetEmail, ignoring case', async () => {
      const targetName = 'grace@example.com';
      const kinds = ['invitation', 'member', 'user', 'api-key', 'role'] as const;
      await insertAuditEvents(
        service,
        member,
        kinds.map((targetKind) => ({ targetKind, targetName, occurredAt: new Date('2026-01-04T00:00:00Z') })),
      );
      const { auditEvents } = pageOf(await get('?targetEmail=Grace@Example.com'));
      expect(auditEvents.map(({ target }) => target.kind).toSorted()).toEqual(['invitation', 'member', 'user']);
    });

    it.each([operatorEmail, operatorEmail.toUpperCase()])('should find the operator as %s', async (actorEmail) => {
      await insertAuditEvents(service, member, [{ targetName: 'Ada', actorId: null, actorEmail: operatorEmail }]);
      expect(namesOf(await get(`?actorEmail=${encodeURIComponent(actorEmail)}`))).toEqual(['Ada']);
    });

    it('should keep the filters from page to page', async () => {
      const first = await get('?targetKind=api-key&limit=1');
      expect(namesOf(first)).toEqual(['Key']);
      const second = await get(`?targetKind=api-key&limit=1&cursor=${pageOf(first).nextCursor}`);
      expect(namesOf(second)).toEqual(['Old key']);
      expect(pageOf(second).nextCursor).toBeNull();
    });
  });

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=1e1'],
    ['limit', 'limit='],
    ['limit', 'limit=1&limit=2'],
    ['cursor', 'cursor='],
    ['cursor', 'cursor=somewhere'],
    ['cursor', `cursor=${randomUUID()}`],
    ['cursor', `cursor=${'x'.repeat(101)}`],
    ['cursor', `cursor=${randomUUID()}&cursor=${randomUUID()}`],
    ['actorId', 'actorId=ada'],
    ['actorId', 'actorId='],
    ['actorEmail', 'actorEmail='],
    ['actorEmail', 'actorEmail=%00'],
    ['actorEmail', 'actorEmail=a&actorEmail=b'],
    ['action', 'action=role'],
    ['action', 'action=toString'],
    ['action', 'action=role.create&action=role.update'],
    ['targetKind', 'targetKind=key'],
    ['targetId', 'targetId=1'],
    ['targetHint', 'targetHint='],
    ['targetHint', `targetHint=${'x'.repeat(17)}`],
    ['targetEmail', 'targetEmail='],
    ['requestId', 'requestId='],
    ['requestId', `requestId=${'x'.repeat(129)}`],
    ['from', 'from=yesterday'],
    ['to', 'to=2026-01-31'],
    ['from', 'from=2026-01-31T00:00:00Z&to=2026-01-31T00:00:00Z'],
    ['page', 'page=2'],
  ])('should return 400 naming %s for ?%s', async (field, query) => {
    const response = await get(`?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation-failed', errors: [{ field }] });
  });

  it('should return 400 for a cursor with one digit changed', async () => {
    for (let number = 0; number < 3; number++) await recordKeyCreation(service, member, `Key ${number}`);
    const cursor = pageOf(await get('?limit=1')).nextCursor ?? '';
    const last = parseInt(cursor.slice(-1), 16);
    const response = await get(`?cursor=${cursor.slice(0, -1)}${((last + 1) % 16).toString(16)}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'cursor' }] });
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /audit-events')).status).toBe(401);
    const permissions = allPermissions.filter((permission) => permission !== 'get-audit-events');
    const { token } = await createMember(service, { permissions });
    const response = await get('', token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('get-audit-events') as string });
  });

  it('should exclude events of other organizations and of none', async () => {
    const other = await createMember(service);
    const [foreign] = await insertAuditEvents(service, other, [{ actorEmail: 'ada@example.com' }]);
    const [ofNone] = await insertAuditEvents(service, { userId: other.userId, organizationId: null }, [{}]);
    for (const query of ['', `?actorId=${other.userId}`, '?actorEmail=ada@example.com', '?action=sign-in']) {
      expect((await get(query)).body).toEqual({ auditEvents: [], people: [], nextCursor: null });
      expect(idsOf(await get(query, other.token))).toEqual([foreign]);
    }
    for (const cursor of [foreign, ofNone]) expect((await get(`?cursor=${cursor}`)).status).toBe(400);
  });

  it('should still name actor and target once account and role are deleted', async () => {
    const reader = await createMember(service, { organizationId: member.organizationId });
    await recordKeyCreation(service, member, 'Search indexer');
    const { manager } = service.app.get(DataSource);
    await manager.delete('users', { id: member.userId });
    await manager.delete('roles', { id: member.roleId });
    expect(pageOf(await get('', reader.token)).auditEvents).toMatchObject([
      {
        actor: { id: member.userId, email: `${member.userId}@example.com` },
        target: { name: 'Search indexer', hint: 'kc_4fT9q' },
      },
    ]);
  });

  it("should be the only audit log route, as events can't be changed or deleted", async () => {
    const [id] = await insertAuditEvents(service, member, [{}]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/audit-events', `/audit-events/${id}`]) {
        const response = await call(service.url, `${method} ${path}`, { token: member.token });
        expect(response.body).toMatchObject({ status: 404, code: 'route-not-found' });
      }
    }
    expect(idsOf(await get())).toEqual([id]);
  });
});
