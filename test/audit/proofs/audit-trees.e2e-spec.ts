import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { toAuditKeys } from '../../../src/audit/proofs/audit-key.js';
import { parseCheckpoint, splitCheckpoints } from '../../../src/audit/proofs/checkpoint.js';
import { verifyLog } from '../../../src/audit/proofs/verify/verify-log.js';
import type { DatabaseConnection } from '../../../src/config/database-connection.js';
import { DatabaseHistory } from '../../../src/database/history/database-history.service.js';
import { MetricsService } from '../../../src/metrics/metrics.service.js';
import { RetentionService } from '../../../src/retention/retention.service.js';
import { createApiKey } from '../../factories/api-keys.js';
import { insertAuditEvents, insertManySignIns, recordKeyCreation } from '../../factories/audit-log.js';
import { auditSeeds, auditSigningKeys, hashEvents, signedApp } from '../../factories/audit-proofs.js';
import { createMember, type Member } from '../../factories/organizations.js';
import { call } from '../../setup/call.js';
import { runAdminWith } from '../../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../setup/temporary-folder.js';
import type { TestApp } from '../../setup/test-app.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase, toUrl } from '../../setup/test-database.js';
import { useAppStarter, useReplicas } from '../../setup/use-test-app.js';
import { waitFor } from '../../setup/wait-for.js';

const [service, replica] = useReplicas(signedApp());
const startApp = useAppStarter();
const keys = toAuditKeys(auditSigningKeys);
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

/** With one snapshot, because events are hashed and checkpoints are signed in the background. */
const verify = ({ app }: Pick<TestApp, 'app'> = service) =>
  app.get(DataSource).transaction('REPEATABLE READ', (manager) => verifyLog(manager, keys, []));

const leavesOf = async ({ organizationId }: Member, { query } = service) => {
  const rows = await query<{ id: string }>(
    'select event_id as id from audit_leaves where tree_id = $1 order by index',
    [organizationId],
  );
  return rows.map(({ id }) => id);
};

const environment = (database: DatabaseConnection) => ({
  DATABASE_URL: toUrl(database),
  AUDIT_SIGNING_KEY: auditSeeds[0],
});

describe('Events written on two replicas at the same time', () => {
  it('should each be in their tree once', async () => {
    const members = [member, await createMember(service), await createMember(service)];
    const writes = members.flatMap((writer) =>
      Array.from({ length: 40 }, (_, number) =>
        recordKeyCreation(number % 2 === 0 ? service : replica, writer, `Key ${number}`),
      ),
    );
    const hashing = [service, replica, service, replica].map(hashEvents);
    await Promise.all([...writes, ...hashing]);
    await Promise.all([service, replica].map(hashEvents));
    for (const writer of members) expect(new Set(await leavesOf(writer)).size).toBe(40);
    expect(await verify()).toMatchObject({ pending: 0, findings: [] });
  });

  it('should not wait for the task that hashes them, nor for each other', async () => {
    const hashing = service.app.get(DataSource).createQueryRunner();
    await hashing.startTransaction();
    await hashing.query('select pg_advisory_xact_lock(7402118356)');
    await hashing.query('select * from audit_trees for update');
    const writing = replica.app.get(DataSource).createQueryRunner();
    await writing.startTransaction();
    await insertAuditEvents({ ...service, query: (sql, values) => writing.query(sql, values) }, member, [{}]);
    await recordKeyCreation(service, member, 'Search');
    await hashing.rollbackTransaction();
    await hashEvents(service);
    expect(await leavesOf(member)).toHaveLength(1);
    await writing.commitTransaction();
    await hashEvents(service);
    expect(await leavesOf(member)).toHaveLength(2);
    await Promise.all([hashing.release(), writing.release()]);
  });
});

describe('Retention of audit events', () => {
  const runRetention = ({ app, database } = service) =>
    new RetentionService(
      { database, usageRetentionDays: 400, auditRetentionDays: 60, auditSigningKeys },
      new MetricsService(),
      app.get(DatabaseHistory),
    ).run();

  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);
  const idOf = (time: Date) => uuidv7({ msecs: time.getTime() });
  const age = (days: number) => ({ id: idOf(daysAgo(days)), occurredAt: daysAgo(days) });

  it('should keep proofs of all other events, and of where the deleted ones were', async () => {
    const own = await startApp(signedApp());
    const owner = await createMember(own);
    const ids = await insertAuditEvents(own, owner, [age(90), age(80), age(70), age(50), age(1)]);
    await hashEvents(own);
    const before = await call(own.url, 'GET /audit-events/checkpoint', { token: owner.token });
    await runRetention(own);
    const remaining = await own.query<{ id: string }>('select id from audit_events order by occurred_at');
    expect(remaining.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(await leavesOf(owner, own)).toEqual(ids);
    const kept = splitCheckpoints(before.text).flatMap((note) => parseCheckpoint(note) ?? []);
    const manager = own.app.get(DataSource).manager;
    expect(await verifyLog(manager, keys, kept)).toMatchObject({ leaves: 5, deleted: 3, findings: [] });
    const proof = await call(own.url, `GET /audit-events/${ids[4]}/proof`, { token: owner.token });
    expect(proof).toMatchObject({ status: 200, body: { index: 4, treeSize: 5 } });
    const deleted = await call(own.url, `GET /audit-events/${ids[0]}/proof`, { token: owner.token });
    expect(deleted.status).toBe(404);
  });

  it('should not excuse a removed event that is newer, nor a record of deletions that was moved', async () => {
    const own = await startApp(signedApp());
    const ids = await insertAuditEvents(own, await createMember(own), [age(90), age(50), age(1)]);
    await hashEvents(own);
    await runRetention(own);
    await own.query('alter table audit_events disable trigger user');
    await own.query('grant delete on audit_events to current_user');
    await own.query('delete from audit_events where id = $1', [ids[1]]);
    expect((await verify(own)).findings[0]).toMatchObject({ manipulation: 'removed', eventId: ids[1] });
    await own.query('update audit_state set deleted_before = now()');
    expect((await verify(own)).findings).toHaveLength(2);
  });

  it('should not delete events that are not hashed yet', async () => {
    const own = await startApp(signedApp());
    const hashing = own.app.get(DataSource).createQueryRunner();
    await hashing.startTransaction();
    await hashing.query('select pg_advisory_xact_lock(7402118356)');
    const [id] = await insertAuditEvents(own, await createMember(own), [age(90)]);
    await runRetention(own);
    expect(await own.query('select id from audit_events')).toEqual([{ id }]);
    await hashing.rollbackTransaction();
    await hashing.release();
    await hashEvents(own);
    await runRetention(own);
    expect(await own.query('select id from audit_events')).toEqual([]);
    expect(await verify(own)).toMatchObject({ deleted: 1, findings: [] });
  });
});

describe('An upgrade', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('should hash the events that exist, in order, before newer ones', async () => {
    const count = 2500;
    const before = await startApp({ ...signedApp(), database: database.connection });
    const owner = await createMember(before);
    await before.stop();
    while (true) {
      const report = await runAdminWith({ DATABASE_URL: toUrl(database.connection) }, 'migrate', '--revert');
      if (report.includes('AddAuditProofs')) break;
    }
    const earlier = await startEarlier(database.connection);
    const ids = Array.from({ length: count }, (_, number) => ({
      id: uuidv7({ msecs: Date.now() - 60_000 + number }),
      occurredAt: new Date(Date.now() - 60_000 + number),
    }));
    await insertAuditEvents(earlier, owner, ids);
    await earlier.stop();
    const upgraded = await startApp({ ...signedApp(), database: database.connection });
    await runAdminWith({ DATABASE_URL: toUrl(database.connection) }, 'migrate');
    await recordKeyCreation(upgraded, owner, 'Search');
    await waitFor(async () => (await leavesOf(owner, upgraded)).length === count + 1);
    expect((await leavesOf(owner, upgraded)).slice(0, count)).toEqual(ids.map(({ id }) => id));
    expect(await verify(upgraded)).toMatchObject({ pending: 0, findings: [] });
  });

  /** Only its connection is needed. */
  async function startEarlier(connection: DatabaseConnection) {
    const { Client } = (await import('pg')).default;
    const client = new Client(connection);
    await client.connect();
    const query = async <Row>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as Row[];
    return { query, stop: () => client.end() } as unknown as TestApp;
  }
});

describe('A key that is set later', () => {
  it('should seal what follows, and sign all of it', async () => {
    const database = await createTestDatabase();
    try {
      const unsigned = await startApp({ database: database.connection });
      const owner = await createMember(unsigned);
      await insertManySignIns(unsigned, owner, 5);
      await hashEvents(unsigned);
      await unsigned.stop();
      const signed = await startApp({ ...signedApp(), database: database.connection });
      await recordKeyCreation(signed, owner, 'Search');
      await call(signed.url, 'GET /audit-events/checkpoint', { token: owner.token });
      expect(await verify(signed)).toMatchObject({ leaves: 6, checkpoints: 1, findings: [] });
    } finally {
      await database.drop();
    }
  });
});

describe('A backup', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await makeTemporaryFolder();
  });
  afterEach(() => folder.remove());

  it('should have checkpoints next to it, which the restored log fits', async () => {
    const own = await startApp(signedApp());
    const owner = await createMember(own);
    await insertManySignIns(own, owner, 300);
    await createApiKey(own, owner);
    const file = path.join(folder.path, 'keycard.backup');
    await runAdminWith(environment(own.database), 'backup', file);
    const checkpoints = `${file}.checkpoints`;
    const sizes = splitCheckpoints(await readFile(checkpoints, 'utf8')).map((note) => parseCheckpoint(note)?.size);
    // The backup itself is an event of the installation.
    expect(sizes.sort()).toEqual([1, 301]);
    const database = await createEmptyDatabase();
    try {
      await runAdminWith(environment(database.connection), 'restore', file);
      const restored = await startApp({ ...signedApp(), database: database.connection });
      await recordKeyCreation(restored, owner, 'After the restore');
      await hashEvents(restored);
      const report = await runAdminWith(
        environment(database.connection),
        'audit',
        'verify',
        '--checkpoint',
        checkpoints,
      );
      expect(report).toMatch(/^Verified 304 audit events in 2 trees/);
      await restored.stop();
    } finally {
      await database.drop();
    }
  });

  it('should not overwrite checkpoints, and need no key', async () => {
    const file = path.join(folder.path, 'keycard.backup');
    await runAdminWith({ DATABASE_URL: toUrl(service.database) }, 'backup', file);
    await expect(readFile(`${file}.checkpoints`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
