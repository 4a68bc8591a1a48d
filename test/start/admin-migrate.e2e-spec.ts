import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { revertLastMigration } from '../../src/admin/migrate/revert-last-migration.js';
import { dataSourceOptions, knownMigrations } from '../../src/database/data-source-options.js';
import { migrate as applyPending } from '../../src/database/migrate.js';
import { runTransaction } from '../../src/database/run-transaction.js';
import { operator, spawnAdmin } from '../setup/run-admin.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase, toUrl } from '../setup/test-database.js';
import { runReplica } from './replica.js';

const migrations = knownMigrations().map(({ name }) => name);
const listing = (state: 'applied' | 'pending') => migrations.map((name) => `${state}  ${name}\n`).join('');

/** A migration of the next release. */
class AddWidgets1999999999999 implements MigrationInterface {
  name = 'AddWidgets1999999999999';
  up = (queryRunner: QueryRunner) => queryRunner.query('create table widgets ()');
  down = (queryRunner: QueryRunner) => queryRunner.query('drop table widgets');
}

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const { drop } of databases.splice(0)) await drop();
});

async function open(creating: Promise<TestDatabase>): Promise<DatabaseConnection> {
  const database = await creating;
  databases.push(database);
  return database.connection;
}

const migrate = (database: DatabaseConnection, ...flags: string[]) =>
  spawnAdmin({ DATABASE_URL: toUrl(database) }, 'migrate', ...flags);

async function query<Row extends object>(database: DatabaseConnection, sql: string): Promise<Row[]> {
  const client = new pg.Client(database);
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}

const events = (database: DatabaseConnection) =>
  query(database, `select action, actor_email, before, after from audit_events order by id`);
const recorded = { actor_email: operator.email };

/** Reverts the last migration as a release with one more would. */
async function revert(database: DatabaseConnection, { isForced = false } = {}): Promise<string> {
  const options = { ...dataSourceOptions(database), migrations: [...knownMigrations(), AddWidgets1999999999999] };
  const dataSource = await new DataSource(options).initialize();
  const runner = dataSource.createQueryRunner();
  const reverted = runTransaction(runner, () => revertLastMigration(runner, operator, isForced), {});
  return (await reverted.finally(() => dataSource.destroy())).name;
}

/** Creates a database of a release with one more migration. */
async function openNext(): Promise<DatabaseConnection> {
  const database = await open(createTestDatabase());
  await applyPending(database, { migrations: [...knownMigrations(), AddWidgets1999999999999] });
  return database;
}
const findWidgets = (database: DatabaseConnection) =>
  query(database, `select tablename as name from pg_tables where tablename = 'widgets'`);

describe('npm run admin -- migrate', () => {
  it('should list and apply migrations, and record it', async () => {
    const database = await open(createEmptyDatabase());
    expect(await migrate(database, '--list')).toEqual({ code: 0, printed: listing('pending'), errors: '' });
    expect(await query(database, `select from pg_tables where schemaname = 'public'`)).toEqual([]);

    const applied = await migrate(database);
    expect(applied).toMatchObject({ code: 0, errors: '' });
    expect(applied.printed.split('\n').slice(1, -1)).toEqual(migrations.map((name) => `  ${name}`));
    expect(await migrate(database, '--list')).toMatchObject({ printed: listing('applied') });
    expect((await migrate(database)).printed).toMatch(/ is up to date\.\n$/);
    expect(await events(database)).toEqual([
      { action: 'database.migrate', ...recorded, before: null, after: { migrations } },
    ]);
  });

  it('should revert the last migration, and record it', async () => {
    const database = await openNext();
    expect(await findWidgets(database)).toHaveLength(1);
    expect(await revert(database)).toBe(AddWidgets1999999999999.name);
    expect(await findWidgets(database)).toEqual([]);
    expect(await events(database)).toEqual([
      { action: 'database.revert', ...recorded, before: { migration: AddWidgets1999999999999.name }, after: null },
    ]);
  });

  it('should not revert the first migration, which would delete all data', async () => {
    const database = await open(createTestDatabase());
    const [first = '', ...others] = migrations;
    for (const name of others.toReversed()) {
      expect((await migrate(database, '--revert')).printed).toMatch(new RegExp(`^Reverted ${name}\\.`));
    }
    const { code, printed, errors } = await migrate(database, '--revert');
    expect([code, printed]).toEqual([1, '']);
    expect(errors).toBe(`${first} can't be reverted: that would delete all data.\n`);
    expect((await migrate(database, '--list')).printed).toContain(`applied  ${first}\n`);
  });

  it('should have nothing to revert in a new database', async () => {
    const database = await open(createEmptyDatabase());
    expect(await migrate(database, '--revert')).toEqual({
      code: 1,
      printed: '',
      errors: 'The database has no migration to revert.\n',
    });
  });

  it('should not revert while a replica is connected, unless forced', async () => {
    const database = await openNext();
    const replica = runReplica({ database });
    await replica.ready;
    await expect(revert(database)).rejects.toThrow(/^Keycard is running: .*--force\.$/);
    expect(await findWidgets(database)).toHaveLength(1);
    expect(await revert(database, { isForced: true })).toBe(AddWidgets1999999999999.name);
    replica.child.kill('SIGTERM');
    await replica.exited;
  });

  it('should not revert a migration of a newer release, and list it', async () => {
    const database = await open(createTestDatabase());
    await query(database, `insert into migrations (timestamp, name) values (1999999999999, 'Newer1999999999999')`);
    const { code, errors } = await migrate(database, '--revert');
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^The last migration, Newer1999999999999, isn't part of Keycard .*\n$/),
    ]);
    const { printed } = await migrate(database, '--list');
    expect(printed).toContain('applied  Newer1999999999999 (of another release)\n');
  });

  it('should name the remedy if another role owns the tables', async () => {
    const database = await open(createTestDatabase());
    await query(database, 'delete from migrations');
    const role = `service_${process.pid}`;
    await query(database, `create role ${role} login password 'secret'; grant select on migrations to ${role}`);
    const { code, printed, errors } = await migrate({ ...database, user: role, password: 'secret' });
    await query(database, `revoke all on migrations from ${role}; drop role ${role}`);
    expect([code, printed]).toEqual([1, '']);
    expect(errors).toMatch(/^The database could not be migrated: [^\n]*Migrate with the DATABASE_URL of [^\n]*\n$/);
  });

  it.each([
    [['--list', '--revert'], 'Use either --list or --revert.'],
    [['--force'], '--force is only for --revert.'],
  ])('should reject %j', async (flags, message) => {
    const result = await spawnAdmin({ DATABASE_URL: 'postgresql://127.0.0.1:9/unused' }, 'migrate', ...flags);
    expect(result).toEqual({ code: 1, printed: '', errors: `${message}\n` });
  });
});
