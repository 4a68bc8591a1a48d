import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { createIndexConcurrently, dropIndexConcurrently } from '../../src/database/concurrent-index.js';
import { knownMigrations } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter } from '../setup/use-test-app.js';

const startApp = useAppStarter();
let service: TestApp;
beforeEach(async () => {
  service = await startApp();
});

const ours = () => knownMigrations();
/** Returns this release's migrations followed by one of the next release. */
const followedBy = (next: new () => MigrationInterface) => [...ours(), next] as (new () => MigrationInterface)[];

/** Needs an exclusive lock on the table that verification reads. */
class AddColumn1999999999999 implements MigrationInterface {
  name = 'AddColumn1999999999999';
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys add remark text');
  }
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys drop column remark');
  }
}

class AddIndex1999999999999 implements MigrationInterface {
  name = 'AddIndex1999999999999';
  readonly transaction = false;
  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(queryRunner, 'api_keys_by_hint', 'on api_keys (hint)');
  }
  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, 'api_keys_by_hint');
  }
}

/** Opens a transaction of another client and runs this statement in it. */
async function openTransaction(database: DatabaseConnection, statement: string): Promise<{ end: () => Promise<void> }> {
  const client = new pg.Client(database);
  await client.connect();
  await client.query(`begin; ${statement}`);
  return {
    end: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}

const hasColumn = async () =>
  (
    await service.query(
      `select from information_schema.columns where table_name = 'api_keys' and column_name = 'remark'`,
    )
  ).length === 1;
const readIndex = () =>
  service.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('api_keys_by_hint')`,
  );

describe('Migrating while another transaction locks api_keys', () => {
  it('should never block verification for over 2 s, and finish once the lock is free', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const other = await openTransaction(service.database, 'lock table api_keys in row share mode');
    let hasEnded = false;
    const migrations = followedBy(AddColumn1999999999999);
    const migrated = migrate(service.database, { migrations, pauseMilliseconds: 100 }).finally(() => (hasEnded = true));

    const waiting = async () =>
      (
        await service.query(
          `select from pg_locks where relation = 'api_keys'::regclass and mode = 'AccessExclusiveLock' and not granted`,
        )
      ).length > 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      await waitFor(waiting);
      // Verification returns 503 after 2 s.
      expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
      await waitFor(async () => !(await waiting()));
    }
    expect(hasEnded).toBe(false);
    await other.end();
    await migrated;
    expect(await hasColumn()).toBe(true);
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
  });

  it('should give up with one sentence if the lock is never free, without a partial change', async () => {
    const other = await openTransaction(service.database, 'lock table api_keys in row share mode');
    const limits = { lockTimeoutMilliseconds: 20, pauseMilliseconds: 1, patienceMilliseconds: 100 };
    await expect(
      migrate(service.database, { migrations: followedBy(AddColumn1999999999999), ...limits }),
    ).rejects.toThrow('The database could not be migrated because its tables are locked');
    await other.end();
    expect(await hasColumn()).toBe(false);
    await migrate(service.database, { migrations: followedBy(AddColumn1999999999999) });
    expect(await hasColumn()).toBe(true);
  });

  it('should create an index while writes continue', async () => {
    const member = await createMember(service);
    const other = await openTransaction(service.database, `update api_keys set hint = hint; select txid_current()`);
    const migrated = migrate(service.database, {
      migrations: followedBy(AddIndex1999999999999),
      lockTimeoutMilliseconds: 20,
    });
    await waitFor(async () => (await readIndex()).length === 1);
    expect(await readIndex()).toEqual([{ valid: false }]);
    const { key } = await createApiKey(service, member);
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
    await other.end();
    await migrated;
    expect(await readIndex()).toEqual([{ valid: true }]);
  });
});

describe('A migration that holds locks', () => {
  /** Locks the table that verification reads for much longer than requests wait. */
  class SlowMigration1999999999999 extends AddColumn1999999999999 {
    override name = 'SlowMigration1999999999999';
    static work: (queryRunner: QueryRunner) => Promise<unknown>;
    /** On a slow machine, the first one may be rolled back before it works. */
    static attempts = 0;
    override async up(queryRunner: QueryRunner): Promise<void> {
      SlowMigration1999999999999.attempts++;
      await super.up(queryRunner);
      await SlowMigration1999999999999.work(queryRunner);
    }
  }
  const migrations = followedBy(SlowMigration1999999999999);
  beforeEach(() => void (SlowMigration1999999999999.attempts = 0));
  /** Resolves when the test's request has its response. */
  let hasVerified: Promise<void>;
  const sleepInStatement = (queryRunner: QueryRunner) => queryRunner.query('select pg_sleep(60)');
  const pauseBetweenStatements = async (queryRunner: QueryRunner) => {
    await hasVerified;
    await queryRunner.query('select 1');
  };
  const isLocked = async () =>
    (
      await service.query(
        `select from pg_locks where relation = 'api_keys'::regclass and mode = 'AccessExclusiveLock' and granted`,
      )
    ).length > 0;

  it.each([
    ['a long statement', sleepInStatement],
    ['a pause between two statements', pauseBetweenStatements],
  ])('should be rolled back during %s before verification fails, and retried', async (_title, work) => {
    const { key } = await createApiKey(service, await createMember(service));
    const printed: unknown[] = [];
    const consoleLog = jest
      .spyOn(console, 'log')
      .mockImplementation((...values: unknown[]) => void printed.push(values));
    const warnings: unknown[] = [];
    SlowMigration1999999999999.work = async (queryRunner) => {
      if (SlowMigration1999999999999.attempts === 1) await work(queryRunner);
    };
    const logger = { warn: (fields: object) => void warnings.push(fields) };
    let continueMigration = () => undefined as void;
    hasVerified = new Promise<void>((resolve) => (continueMigration = resolve));
    const migrated = migrate(service.database, { migrations, pauseMilliseconds: 1, logger });
    await waitFor(isLocked);
    // Verification returns 503 after 2 s.
    const { status } = await call(service.url, 'GET /v1/models', { token: key });
    continueMigration();
    expect(status).toBe(200);
    await migrated;
    expect(SlowMigration1999999999999.attempts).toBe(2);
    expect(await hasColumn()).toBe(true);
    expect(warnings).toEqual([{ reason: 'requests waited for its locks', retryInMilliseconds: 1 }]);
    consoleLog.mockRestore();
    expect(printed).toEqual([]);
  });

  it('should not be interrupted while it blocks no one', async () => {
    SlowMigration1999999999999.work = (queryRunner) => queryRunner.query('select pg_sleep(0.5)');
    await migrate(service.database, { migrations, maxBlockMilliseconds: 1 });
    expect(SlowMigration1999999999999.attempts).toBe(1);
  });

  it('should give up with one sentence if every attempt blocks requests', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    SlowMigration1999999999999.work = sleepInStatement;
    const limits = { maxBlockMilliseconds: 20, pauseMilliseconds: 1, patienceMilliseconds: 1 };
    const migrated = expect(migrate(service.database, { migrations, ...limits })).rejects.toThrow(
      'The database could not be migrated because requests waited for a migration: stop all replicas',
    );
    await waitFor(isLocked);
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
    await migrated;
    expect(await hasColumn()).toBe(false);
  });

  it('should not be interrupted if it runs without a transaction', async () => {
    class Batch1999999999999 implements MigrationInterface {
      name = 'Batch1999999999999';
      readonly transaction = false;
      async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(
          'with locked as (select id from api_keys for update) select pg_sleep(1), count(*) from locked',
        );
      }
      down = () => Promise.resolve();
    }
    const member = await createMember(service);
    const { id } = await createApiKey(service, member);
    const migrated = migrate(service.database, {
      migrations: followedBy(Batch1999999999999),
      maxBlockMilliseconds: 1,
      patienceMilliseconds: 0,
    });
    await waitFor(
      async () =>
        (
          await service.query(
            `select from pg_stat_activity where query like 'with locked%' and state = 'active' and datname = current_database()`,
          )
        ).length > 0,
    );
    const removed = call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
    await migrated;
    expect((await removed).status).toBe(200);
  });
});

describe('Migrating after an interrupted attempt', () => {
  it('should replace the invalid index it left', async () => {
    const other = await openTransaction(service.database, 'update api_keys set hint = hint; select txid_current()');
    const client = new pg.Client(service.database);
    await client.connect();
    const created = expect(
      client.query('create index concurrently api_keys_by_hint on api_keys (hint)'),
    ).rejects.toThrow('canceling statement');
    // It then waits for the other transaction.
    await waitFor(async () => (await readIndex()).length === 1);
    await service.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'`,
    );
    await created;
    await client.end();
    await other.end();
    expect(await readIndex()).toEqual([{ valid: false }]);
    await migrate(service.database, { migrations: followedBy(AddIndex1999999999999) });
    expect(await readIndex()).toEqual([{ valid: true }]);
  });

  it('should release the migration lock if a migration fails', async () => {
    class Fails1999999999999 extends AddColumn1999999999999 {
      override name = 'Fails1999999999999';
      override async up(queryRunner: QueryRunner): Promise<void> {
        await super.up(queryRunner);
        await queryRunner.query('select 1 / 0');
      }
    }
    await expect(migrate(service.database, { migrations: followedBy(Fails1999999999999) })).rejects.toThrow('division');
    expect(await hasColumn()).toBe(false);
    await migrate(service.database, { migrations: followedBy(AddColumn1999999999999) });
    expect(await hasColumn()).toBe(true);
  });

  it('should let replicas that start together take turns', async () => {
    const migrations = [...followedBy(AddColumn1999999999999), AddIndex1999999999999];
    await Promise.all([1, 2, 3].map(() => migrate(service.database, { migrations })));
    const names = [AddColumn1999999999999.name, AddIndex1999999999999.name];
    expect(await service.query('select from migrations where name = any($1)', [names])).toHaveLength(2);
    // Creating an index waits for all older statements, so a waiting replica must not run one.
    expect(await readIndex()).toEqual([{ valid: true }]);
  });
});
