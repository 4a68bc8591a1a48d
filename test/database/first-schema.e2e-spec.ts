import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { projectFolder } from '../../src/common/package-info.js';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { allPermissions, type Permission, permissionCatalog } from '../../src/access/permissions.js';
import { knownMigrations } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { call } from '../setup/call.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { describeSchema } from './describe-schema.js';
import { earlier } from './earlier.js';
import type { Queryable } from './queryable.js';
import { readRows } from './read-rows.js';

const startApp = useAppStarter();
const databases: TestDatabase[] = [];
const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  for (const { drop } of databases.splice(0)) await drop();
});

async function connect(database: DatabaseConnection, name = 'a test'): Promise<Queryable> {
  const client = new pg.Client({ ...database, application_name: name });
  await client.connect();
  clients.push(client);
  return { query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] };
}

async function open(creating: Promise<TestDatabase>): Promise<Queryable & { connection: DatabaseConnection }> {
  const database = await creating;
  databases.push(database);
  return { ...(await connect(database.connection)), connection: database.connection };
}

/** Opens a copy of a database that the last commit before the first schema has used. */
async function openEarlier() {
  const database = await open(createEmptyDatabase());
  await database.query(readFileSync(path.join(projectFolder, 'test/database/earlier.sql'), 'utf8'));
  // The dump has set it for its own statements.
  await database.query('reset search_path');
  return database;
}

const usageTables = ['usage', 'usage_by_hour', 'usage_by_day', 'usage_by_month'];
const addedToUsage = {
  cached_input_tokens: null,
  cache_write_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
  cache_write1h_tokens: null,
  priced_requests: null,
  cost: null,
  first_tokens: null,
  first_token_microseconds: null,
};

/** Columns that later migrations add, with their value in earlier rows. */
const addedColumns: Record<string, object> = {
  ...Object.fromEntries(usageTables.map((table) => [table, addedToUsage])),
  database_identity: { closed_organizations: [] },
  organizations: { time_zone: 'UTC', on_leak: 'disable' },
  users: { muted_mail: [] },
  audit_events: { request_id: null },
  usage_series: { cohort_id: null, creator_cohort_id: null, tags_cohort_id: null },
  deleted_api_keys: { tags: [], created_by_id: null, created_by_service_account_id: null },
  api_keys: {
    tags: [],
    delete_when_expired: false,
    leaked_at: null,
    leaked_url: null,
    leaked_source: null,
    leaked_secret: null,
  },
  limit_counters: { charged: 0, held: 0, held_before: 0, held_generation: 0, noticed: 0, noticed_at: null },
};
const addedTables = [
  'limit_checks',
  'limit_notices',
  'audit_checkpoints',
  'audit_leaves',
  'audit_nodes',
  'audit_pending',
  'audit_sinks',
  'audit_state',
  'audit_trees',
  'leak_reports',
  'events',
  'webhooks',
  'webhook_deliveries',
  'expiry_notices',
  'mail_messages',
  'mail_progress',
  'known_devices',
  'former_members',
  'request_chunks',
  'organization_moves',
  'moved_api_keys',
  'usage_cohorts',
  'usage_cohort_changes',
];

/** New names of columns. */
const renamed: Record<string, Record<string, string>> = {
  ...Object.fromEntries(usageTables.map((table) => [table, { estimated: 'estimated_requests' }])),
  api_keys: {
    key_hash: 'secret_hash',
    previous_key_hash: 'previous_secret_hash',
    previous_key_hint: 'previous_secret_hint',
    previous_key_expires_at: 'previous_secret_expires_at',
    previous_last_used_at: 'previous_secret_last_used_at',
  },
};

/** Returns a row of an earlier commit as it should be afterwards. */
function convert(table: string, row: object): object {
  const columns = Object.entries(row).map(([name, value]) => [renamed[table]?.[name] ?? name, value as unknown]);
  const converted = { ...(Object.fromEntries(columns) as Record<string, unknown>), ...addedColumns[table] };
  return table === 'roles' ? { ...converted, permissions: withNewPermissions(converted['permissions']) } : converted;
}

/** Organizations get this role. */
const isAuditor = (table: string, row: object) => table === 'roles' && 'name' in row && row.name === 'Auditor';

/** Roles with all earlier permissions get the later ones. */
function withNewPermissions(held: unknown): unknown {
  const isNew = (permission: Permission) => 'since' in permissionCatalog[permission];
  const earlier = allPermissions.filter((permission) => !isNew(permission));
  if (!Array.isArray(held) || !earlier.every((permission) => held.includes(permission))) return held;
  return [...(held as Permission[]), ...allPermissions.filter(isNew)];
}

describe('A database of the last commit before the first schema', () => {
  it('should keep every row when it is migrated', async () => {
    const database = await openEarlier();
    const before = await readRows(database);
    await migrate(database.connection);
    const after = await readRows(database);
    expect(Object.keys(after).filter((table) => !addedTables.includes(table))).toEqual(Object.keys(before));
    for (const [table, rows] of Object.entries(before)) {
      expect(rows).not.toEqual([]);
      const kept = after[table]?.filter((row) => !isAuditor(table, row));
      expect([table, kept]).toEqual([table, rows.map((row) => convert(table, row))]);
    }
    const names = await database.query<{ name: string }>('select name from migrations order by timestamp');
    expect(names.map(({ name }) => name)).toEqual(knownMigrations().map(({ name }) => name));
  });

  it('should get the same schema as a new database', async () => {
    const database = await openEarlier();
    await migrate(database.connection);
    expect(await describeSchema(database)).toEqual(await describeSchema(await open(createTestDatabase())));
  });

  it('should accept the same secrets and passwords, and report the same usage, settings and events', async () => {
    const database = await openEarlier();
    await database.query(`update api_keys set previous_key_expires_at = now() + interval '1 hour'
      where previous_key_hash is not null`);
    // This server doesn't take over from the dump's.
    await database.query('delete from database_history');
    await migrate(database.connection);
    const { url } = await startApp({ database: database.connection });
    const { email, password, key, rotated, clientId, clientSecret, responses } = earlier;
    const signedIn = await call(url, 'POST /auth/sign-in', { body: { email, password } });
    expect(signedIn.status).toBe(200);
    const { accessToken: token } = signedIn.body as { accessToken: string };
    const details = await call(url, `GET /api-keys/${rotated.id}`, { token });
    expect(details.body).toMatchObject({ previousSecretHint: rotated.previousSecret.slice(0, 8) });
    for (const [route, body] of Object.entries(responses)) {
      expect((await call(url, `GET ${route}`, { token })).body).toMatchObject(body);
    }
    for (const secret of [key, rotated.secret, rotated.previousSecret]) {
      expect((await call(url, 'GET /v1/models', { token: secret })).status).toBe(200);
    }
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call(url, 'POST /auth/token', { rawBody: form.toString(), headers })).status).toBe(200);
  });

  it('should be refused and left unchanged while a replica of that commit uses it', async () => {
    const database = await openEarlier();
    const before = [await describeSchema(database), await readRows(database)];
    await connect(database.connection, 'keycard history 1a2b3c4d');
    await expect(migrate(database.connection)).rejects.toThrow(
      /^The database is used by replicas of an earlier commit, .* Stop all replicas, then start this release again\.$/,
    );
    expect([await describeSchema(database), await readRows(database)]).toEqual(before);
    await clients.pop()?.end();
    await migrate(database.connection);
  });
});

describe('A database of a commit before that', () => {
  it.each([
    ['lacks the last migration', `name = 'DatabaseHistory1795510000000'`, 'SettleReservations1795506000000'],
    ['lacks another migration', `name like 'SettleReservations%'`, 'DatabaseHistory1795510000000'],
  ])('should be refused and left unchanged if it %s', async (_title, condition, last) => {
    const database = await openEarlier();
    await database.query(`delete from migrations where ${condition}`);
    const before = [await describeSchema(database), await readRows(database)];
    await expect(migrate(database.connection)).rejects.toThrow(
      `The database is of an earlier commit, with ${last} as its last migration. Nothing was changed. ` +
        'Start commit e0670598 once, then start this release again.',
    );
    expect([await describeSchema(database), await readRows(database)]).toEqual(before);
  });
});
