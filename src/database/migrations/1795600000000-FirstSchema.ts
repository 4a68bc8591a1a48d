import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StartupError } from '../../common/startup-error.js';
import { readSql } from '../sql-file.js';

/** Tables and types, in the order of their references. */
const tableFiles = ['organizations', 'sign-in', 'api-keys', 'limits', 'usage', 'audit-events', 'database-history'];

/** Functions and triggers. These files replace them, so they can run again. */
const functionFiles = ['limit-levels', 'count-requests', 'reserve-usage', 'settle-requests', 'audit-events-functions'];

/** The last of the migrations that this one replaces, and how many they were. */
const replaced = { last: 'DatabaseHistory1795510000000', count: 32 };

/** The commit that earlier databases need; it has all of these migrations. */
export const lastCommitBefore = 'e0670598';

/**
 * Creates all tables and functions. A database with all of the migrations that this one replaces keeps its rows, and gets
 * the same schema.
 */
export class FirstSchema1795600000000 implements MigrationInterface {
  name = 'FirstSchema1795600000000';

  /** @throws StartupError for a database that must not be changed */
  public async up(queryRunner: QueryRunner): Promise<void> {
    const tables = tableFiles.map(read);
    const isEarlier = await hasEarlierMigrations(queryRunner);
    const statements = isEarlier ? [read('adopt'), ...tables.flatMap(findComments)] : tables;
    await queryRunner.query([...statements, ...functionFiles.map(read)].join('\n'));
  }

  public down(): Promise<void> {
    throw new Error('Reverting the first migration would delete all data.');
  }
}

const read = (name: string) => readSql(`database/migrations/first-schema/${name}.sql`);

/** The statements that describe tables and columns. */
function findComments(sql: string): string[] {
  return sql.match(/^comment on [^']+(?:'(?:[^']|'')*'\s*)+;$/gm) ?? [];
}

/** Whether it's the database of an earlier commit, with all of the migrations that this one replaces. */
async function hasEarlierMigrations(queryRunner: QueryRunner): Promise<boolean> {
  const applied = (await queryRunner.query('select name from migrations order by timestamp')) as { name: string }[];
  const name = applied.at(-1)?.name;
  if (name === undefined) return false;
  if (name !== replaced.last || applied.length !== replaced.count) {
    throw new StartupError(
      `The database is of an earlier commit, with ${name} as its last migration. Nothing was changed. ` +
        `Start commit ${lastCommitBefore} once, then start this release again.`,
    );
  }
  await assertStopped(queryRunner);
  return true;
}

/** Replicas of the earlier commit would fail, because columns are renamed. Each replica has a connection for its history. */
async function assertStopped(queryRunner: QueryRunner): Promise<void> {
  const replicas = (await queryRunner.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'keycard history %'`,
  )) as unknown[];
  if (replicas.length === 0) return;
  throw new StartupError(
    'The database is used by replicas of an earlier commit, which would fail after this migration. Nothing was changed. ' +
      'Stop all replicas, then start this release again.',
  );
}
