import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { AddUsageCohorts1795760000000 } from '../../src/database/migrations/1795760000000-AddUsageCohorts.js';
import { changeCohorts } from '../../src/usage/cohorts/change-cohorts.js';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';

const migration = new AddUsageCohorts1795760000000();
const keyCount = 12;
let database: TestDatabase;
let source: DataSource;
let runner: QueryRunner;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.connection);
  source = await new DataSource(dataSourceOptions(database.connection)).initialize();
  runner = source.createQueryRunner();
  await migration.down(runner);
});
afterEach(async () => {
  await runner.release();
  await source.destroy();
  await database.drop();
});

const query = <Row>(sql: string, parameters: unknown[] = []) => runner.query(sql, parameters) as Promise<Row[]>;

/** Inserts packed usage as the previous release leaves it: each key has one request more than the one before. */
async function insertUsage(): Promise<void> {
  const organizationId = randomUUID();
  await query("insert into organizations (id, name) values ($1, 'Research')", [organizationId]);
  await query(
    `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, tags)
     select gen_random_uuid(), $1, 'Key ' || i, 'key', 'kc_some', sha256(i::text::bytea), '{production}'
     from generate_series(1, ${keyCount}) as i`,
    [organizationId],
  );
  await query(
    `insert into usage_series (id, organization_id, api_key_id, model)
     select row_number() over (order by name), organization_id, id, 'small' from api_keys`,
  );
  for (const [table, period] of [
    ['usage_by_hour', 'day'],
    ['usage_by_day', 'month'],
    ['usage_by_month', 'year'],
  ]) {
    await query(
      `insert into ${table} (series_id, start, slots, requests, latencies)
       select id, date_trunc('${period}', now(), 'UTC'), '{0}', array[id], array[(128::bigint << 40) + id] from usage_series`,
    );
  }
}

/** Adds keys to cohorts, as the retention task does. */
async function runTask(): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query('set keycard.keeps_usage_cohorts = on');
  try {
    await changeCohorts((work) => work(client));
  } finally {
    await client.end();
  }
}

describe('The migration that adds cohorts', () => {
  it('should have existing usage added to them by the retention task', async () => {
    await insertUsage();
    await migration.up(runner);
    expect(await query('select from usage_cohorts')).toEqual([]);
    await runTask();
    const sum = (keyCount * (keyCount + 1)) / 2;
    for (const table of ['usage_by_hour', 'usage_by_day', 'usage_by_month']) {
      const sums = await query(
        `select coalesce(creator_id::text, tags::text) as value, requests, latencies[1] & 1099511627775 as timed
         from usage_cohorts join usage_series on cohort_id = usage_cohorts.id
         join ${table} on series_id = usage_series.id order by value`,
      );
      expect(sums).toEqual([
        { value: '00000000-0000-0000-0000-000000000000', requests: [String(sum)], timed: String(sum) },
        { value: '{production}', requests: [String(sum)], timed: String(sum) },
      ]);
    }
    expect(await query('select from usage_series where cohort_id is null and tags_cohort_id is null')).toEqual([]);
  });

  it('should leave the usage of keys as it was when it is reverted', async () => {
    await insertUsage();
    const read = () => query('select series_id, start, requests, latencies from usage_by_month order by series_id');
    const before = await read();
    await migration.up(runner);
    await runTask();
    expect(await read()).toHaveLength(keyCount + 2);
    await migration.down(runner);
    expect(await read()).toEqual(before);
    await migration.up(runner);
    await runTask();
    expect(await read()).toHaveLength(keyCount + 2);
  });

  it('should note keys whose tags or creator change, and mark cohorts stale that usage is not added to', async () => {
    await insertUsage();
    await migration.up(runner);
    await runTask();
    const count = async (from: string) =>
      (await query<{ count: number }>(`select count(*)::int as count from ${from}`))[0]?.count;
    await query(`update api_keys set last_used_at = now(), tags = tags`);
    expect(await count('usage_cohort_changes')).toBe(0);
    await query(`update api_keys set tags = '{eu}' where name = 'Key 1'`);
    expect(await count('usage_cohort_changes')).toBe(1);
    expect(await count('usage_cohorts where is_stale')).toBe(0);
    await query('update usage_by_month set slots = slots');
    expect(await count('usage_cohorts where is_stale')).toBe(2);
    await runTask();
    expect(await count('usage_cohort_changes')).toBe(0);
    expect(await count('usage_cohorts where is_stale')).toBe(0);
    expect(await count('usage_cohorts')).toBe(2);
  });
});
