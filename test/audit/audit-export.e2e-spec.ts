import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { DataSource } from 'typeorm';
import { createApiKeyWith } from '../factories/api-keys.js';
import { insertAuditEvents, insertManySignIns, recordKeyCreation } from '../factories/audit-log.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const header =
  '"id","occurredAt","actorId","actorEmail","address","userAgent","action","targetKind","targetId","targetName","targetHint","before","after","actorKind","actorName"';
const get = (query = '', { token } = member) => call(service.url, `GET /audit-events/export?${query}`, { token });
const linesOf = ({ text }: { text: string }) => text.split('\r\n').slice(1, -1);

/** The last column of each line, `actorName`. */
async function namesOf(query?: string, reader?: Member): Promise<string[]> {
  return linesOf(await get(query, reader)).map((line) => /"([^"]*)"$/.exec(line)?.[1] ?? '');
}

/** About 40 MB as a file, far more than the buffers between the service and a client hold. */
const manyEvents = 10_000;
const insertManyEvents = () => insertManySignIns(service, member, manyEvents, 4000);

/** Starts an export and reads only the response headers. */
async function beginExport(): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${member.token}` };
  const request = httpGet(`${service.url}/audit-events/export`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Whether a statement that contains this text waits for a lock. */
async function isBlocked(words: string): Promise<boolean> {
  const blocked = await service.query(
    `select 1 from pg_stat_activity where datname = current_database()
     and strpos(query, $1) > 0 and wait_event_type = 'Lock'`,
    [words],
  );
  return blocked.length > 0;
}

/** Whether the service's next read of the audit log waits. PostgreSQL shows only the first kilobyte of a statement. */
const isReadBlocked = () => isBlocked('from audit_events');

/** Whether a read waits at any of several checks. */
async function isReadBlockedWithin(looks: number): Promise<boolean> {
  for (let look = 0; look < looks; look++) if (await isReadBlocked()) return true;
  return false;
}

/** Blocks reads of the audit log until the returned function is called. */
async function lockAuditLog(): Promise<() => Promise<void>> {
  const blocker = service.app.get(DataSource).createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('lock table audit_events in access exclusive mode');
  return async () => {
    await blocker.rollbackTransaction();
    await blocker.release();
  };
}

/** Blocks reads of the audit log once an export without a reader has stalled. */
async function lockOnceNothingIsRead(): Promise<() => Promise<void>> {
  let unlock = await lockAuditLog();
  await waitFor(async () => {
    if (!(await isReadBlockedWithin(50))) return true;
    await unlock();
    unlock = await lockAuditLog();
    return false;
  });
  return unlock;
}

describe('GET /audit-events/export', () => {
  it('should return a file with a header and one line per event', async () => {
    const keyId = await recordKeyCreation(service, member, 'Search indexer');
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-events-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [{ id, occurredAt } = {}] = await service.query<{ id?: string; occurredAt?: Date }>(
      'select id, occurred_at as "occurredAt" from audit_events where target_id = $1',
      [keyId],
    );
    const { userId } = member;
    expect(response.text.split('\r\n')).toEqual([
      header,
      `"${id}","${occurredAt?.toISOString()}","${userId}","${userId}@example.com","203.0.113.7","a test",` +
        `"api-key.create","api-key","${keyId}","Search indexer","kc_4fT9q",,"{""name"":""Search indexer""}","user","A member"`,
      '',
    ]);
  });

  it('should name current and removed members and service accounts, as the audit log does', async () => {
    const removed = await createColleague(service, member, 'Grace Hopper');
    await recordKeyCreation(service, removed, 'Of a removed member');
    await removeMember(service, removed, member);
    const token = await tokenOf(service, await createServiceAccount(service, member));
    await createApiKeyWith(service, { token }, 'Of a service account');
    await recordKeyCreation(service, member, 'Of a member');
    expect((await namesOf('action=api-key.create')).toSorted()).toEqual([
      'A member',
      'Deploy pipeline',
      'Grace Hopper',
    ]);
  });

  it('should name no one who was never a member, such as someone from another organization who fails to sign in', async () => {
    const stranger = await createMember(service, { name: 'A stranger' });
    await insertAuditEvents(service, { ...member, userId: stranger.userId }, [
      { action: 'sign-in-failed', actorEmail: `${stranger.userId}@example.com` },
    ]);
    expect(await namesOf()).toEqual(['']);
  });

  it('should not name people without the permission to see members', async () => {
    await recordKeyCreation(service, member, 'Search indexer');
    const auditor = await createColleague(service, member, 'Auditor', { permissions: ['get-audit-events'] });
    expect(await namesOf('', auditor)).toEqual(['']);
  });

  it('should return only the header if nothing matches', async () => {
    expect((await get()).text).toBe(`${header}\r\n`);
  });

  it('should neutralize formulas in names and client input', async () => {
    await insertAuditEvents(service, member, [
      { targetName: '=HYPERLINK("http://x")', userAgent: '@SUM(1)', actorEmail: '+1@example.com' },
    ]);
    const [line] = linesOf(await get());
    expect(line).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(line).toContain(`"'@SUM(1)"`);
    expect(line).toContain(`"'+1@example.com"`);
  });

  it.each([499, 500, 501, 1000, 1234])('should contain each of %i events once, newest first', async (count) => {
    await insertManySignIns(service, member, count);
    const times = linesOf(await get()).map((line) => line.split(',')[1] ?? '');
    expect(times).toHaveLength(count);
    expect(new Set(times).size).toBe(count);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('should contain only matching events', async () => {
    await insertManySignIns(service, member, 20);
    await recordKeyCreation(service, member, 'Search indexer');
    expect(linesOf(await get('action=api-key.create'))).toHaveLength(1);
    expect(linesOf(await get('from=2025-12-31T23:59:50Z&to=2026-01-01T00:00:00Z'))).toHaveLength(10);
    expect(linesOf(await get('action=sign-in&targetKind=role'))).toHaveLength(0);
  });

  it('should contain no events of other organizations', async () => {
    await insertManySignIns(service, await createMember(service), 3);
    expect(linesOf(await get())).toEqual([]);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /audit-events/export')).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    expect((await call(service.url, 'GET /audit-events/export', { token })).status).toBe(403);
  });

  it.each([
    ['limit', 'limit=10'],
    ['cursor', 'cursor=01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'],
    ['from', 'from=2026-01-31T00:00:00Z&to=2026-01-30T00:00:00Z'],
  ])('should return 400 naming %s for %s', async (field, query) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('should read from the database only as fast as the client reads', async () => {
    await insertManyEvents();
    const response = await beginExport();
    const unlock = await lockOnceNothingIsRead();
    response.setEncoding('utf8');
    const parts = response.toArray() as Promise<string[]>;
    await waitFor(isReadBlocked);
    await unlock();
    expect((await parts).join('').split('\r\n')).toHaveLength(manyEvents + 2);
  });

  it('should stop reading once the client disconnects', async () => {
    await insertManyEvents();
    const response = await beginExport();
    const unlock = await lockAuditLog();
    response.resume();
    await waitFor(isReadBlocked);
    response.destroy();
    const hasGone = () => service.logLines.some((line) => line.includes('"route":"/audit-events/export","status":499'));
    await waitFor(async () => (await isReadBlocked()) && hasGone());
    // Queued behind the waiting read and ahead of any other.
    const lockedAgain = lockAuditLog();
    await waitFor(() => isBlocked('lock table audit_events'));
    await unlock();
    const unlockAgain = await lockedAgain;
    expect(await isReadBlockedWithin(50)).toBe(false);
    await unlockAgain();
  });

  it('should break the connection if the database fails, so that a file that ends is complete', async () => {
    await insertManyEvents();
    const response = await beginExport();
    await service.query('alter table audit_events rename to audit_events_elsewhere');
    try {
      response.resume();
      await expect(once(response, 'end')).rejects.toThrow('aborted');
    } finally {
      await service.query('alter table audit_events_elsewhere rename to audit_events');
    }
  });
});
