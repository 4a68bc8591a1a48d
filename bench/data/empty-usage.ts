import type pg from 'pg';

const usageTables = ['usage', 'usage_series', 'usage_cohorts', 'usage_by_hour', 'usage_by_day', 'usage_by_month'];
const benchTables = ['series', 'samples', 'frequencies', 'creators', 'patterns', 'sums'];

/** Deletes the usage that earlier sections left, whose ids generated usage would repeat. */
export async function emptyUsage(client: pg.Client): Promise<void> {
  await client.query(`truncate ${usageTables.join(', ')}`);
  await client.query(`drop table if exists ${benchTables.map((name) => `bench_${name}`).join(', ')}`);
}
