import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { knownMigrations } from '../../src/database/data-source-options.js';
import { runAdmin, spawnAdmin } from '../setup/run-admin.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase, toUrl } from '../setup/test-database.js';
import { runReplica } from './replica.js';

const migrations = knownMigrations()
  .map(({ name }): string => name)
  .sort((one, other) => Number(one.slice(-13)) - Number(other.slice(-13)));
const last = migrations.at(-1) ?? '';
const secondToLast = migrations.at(-2) ?? '';
const listing = (isApplied: (name: string) => boolean) =>
  migrations.map((name) => `${isApplied(name) ? 'applied' : 'pending'}  ${name}\n`).join('');

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
const operator = { actor_email: 'Operator (command line)' };

describe('npm run admin -- migrate', () => {
  it('should list, apply and revert migrations, and record each change', async () => {
    const database = await open(createEmptyDatabase());
    expect(await migrate(database, '--list')).toEqual({ code: 0, printed: listing(() => false), errors: '' });
    expect(await query(database, `select from pg_tables where schemaname = 'public'`)).toEqual([]);

    const applied = await migrate(database);
    expect(applied).toMatchObject({ code: 0, errors: '' });
    expect(applied.printed.split('\n').slice(1, -1)).toEqual(migrations.map((name) => `  ${name}`));
    expect(await migrate(database, '--list')).toMatchObject({ printed: listing(() => true) });
    expect((await migrate(database)).printed).toMatch(/ is up to date\.\n$/);

    const reverted = await migrate(database, '--revert');
    expect(reverted).toMatchObject({ code: 0, errors: '' });
    expect(reverted.printed).toMatch(
      new RegExp(`^Reverted ${last}\\.\nThe last applied migration is now ${secondToLast}\\.\n`),
    );
    expect(await migrate(database, '--list')).toMatchObject({ printed: listing((name) => name !== last) });

    expect((await migrate(database)).printed).toMatch(new RegExp(`:\n  ${last}\n$`));
    expect(await events(database)).toEqual([
      { action: 'database.migrate', ...operator, before: null, after: { migrations } },
      { action: 'database.revert', ...operator, before: { migration: last }, after: null },
      { action: 'database.migrate', ...operator, before: null, after: { migrations: [last] } },
    ]);
  });

  it('should revert every migration, one at a time, and then have nothing to revert', async () => {
    const database = await open(createTestDatabase());
    for (const name of [...migrations].reverse()) {
      expect(await runAdmin(database, 'migrate', '--revert')).toContain(`Reverted ${name}.\n`);
    }
    expect(await migrate(database, '--revert')).toEqual({
      code: 1,
      printed: '',
      errors: 'The database has no migration to revert.\n',
    });
  });

  it('should not revert while a replica is connected, unless forced', async () => {
    const database = await open(createTestDatabase());
    const replica = runReplica({ database });
    await replica.ready;
    const { code, errors } = await migrate(database, '--revert');
    expect([code, errors]).toEqual([1, expect.stringMatching(/^Keycard is running: .*--force\.\n$/)]);
    expect(await migrate(database, '--list')).toMatchObject({ printed: listing(() => true) });
    expect(await migrate(database, '--revert', '--force')).toMatchObject({ code: 0, errors: '' });
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
    await migrate(database, '--revert');
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
