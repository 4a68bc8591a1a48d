import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createCohortsStatements } from '../../src/usage/cohorts/change-cohorts.js';
import { addTo, allKeys } from '../../src/usage/history/packed-usage.js';
import { usageColumns } from '../../src/usage/usage-columns.js';
import { emptyUsage } from './empty-usage.js';

const keyCount = 100_000;
const creatorCount = 50;
const formerCreatorCount = 5;
const teamCount = 40;
/** Keys with the same pattern have the same usage. */
const patternCount = 100;
const hourlyDays = 35;
const days = 365;
/** Keys that are used in an hour, of 24. */
const usedHours = 4;

const packedTables = ['usage_by_hour', 'usage_by_day', 'usage_by_month'];
const sums = ['requests', 'failures', 'limited', ...usageColumns.map(({ column }) => column)];

/**
 * Inserts an organization with 100,000 keys, all used on each day of a year: the rows that the retention task writes, and
 * the last two hours. 50 users created the keys, of whom five are no longer members, and a tenth has no tag.
 */
export async function insertUsedKeys(client: pg.Client): Promise<string> {
  const [organizationId, patternsId] = [uuidv7(), uuidv7()];
  await emptyUsage(client);
  await client.query(`insert into organizations (id, name) values ($1, 'Used keys'), ($2, 'Patterns')`, [
    organizationId,
    patternsId,
  ]);
  // Foreign keys are correct by construction.
  await client.query(`set session_replication_role = replica`);
  await insertKeys(client, organizationId);
  await insertSeries(client, organizationId, patternsId);
  await insertHistory(client, patternsId);
  await insertSums(client);
  await insertRecentHours(client, organizationId);
  await client.query('set session_replication_role = origin');
  await client.query('delete from organizations where id = $1', [patternsId]);
  await client.query(
    `vacuum analyze api_keys, former_members, usage, usage_series, usage_cohorts, ${packedTables.join(', ')}`,
  );
  await client.query('checkpoint');
  return organizationId;
}

async function insertKeys(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `create table bench_creators as
     select gen_random_uuid() as id, number::integer from generate_series(0, ${creatorCount - 1}) as number`,
  );
  await client.query(
    `insert into users (id, email, name) select id, id || '@example.com', 'Creator ' || number from bench_creators`,
  );
  await client.query(
    `insert into former_members (organization_id, user_id, email, name)
     select $1, id, id || '@example.com', 'Creator ' || number from bench_creators where number < ${formerCreatorCount}`,
    [organizationId],
  );
  await client.query(
    `insert into api_keys (
       id, organization_id, name, folded_name, hint, secret_hash, tags, created_by_id, last_used_at, created_at, updated_at
     )
     select gen_random_uuid(), $1, 'Key ' || i, 'key ' || i, 'kc_used', sha256(('used' || i)::bytea),
       case when i % 10 = 0 then '{}' when i % 3 = 0 then array['production', 'team-' || i % ${teamCount}]
         else array['team-' || i % ${teamCount}] end,
       creator.id, now(), now() - interval '1 year', now()
     from generate_series(1, ${keyCount}) as i join bench_creators as creator on creator.number = i * 7 / 10 % ${creatorCount}`,
    [organizationId],
  );
}

/** One model per key, and a second one for every fifth. The patterns are series of their own at first. */
async function insertSeries(client: pg.Client, organizationId: string, patternsId: string): Promise<void> {
  await client.query(
    `create table bench_patterns as
     select 2 + row_number() over () as id, number::integer, model, series
     from generate_series(0, ${patternCount - 1}) as number
     cross join (values ('small', 1), ('large', 2)) as models (model, series)`,
  );
  await client.query(
    `create table bench_series as
     select 2 + 2 * ${patternCount} + row_number() over () as id, api_key_id, model, bench_patterns.id as pattern_id
     from (select id as api_key_id, row_number() over (order by folded_name) as i from api_keys where organization_id = $1) as keys
     join bench_patterns on number = i % ${patternCount} and (series = 1 or i % 5 = 0)`,
    [organizationId],
  );
  await client.query(
    `insert into usage_series (id, organization_id, api_key_id, model)
     select id, $1::uuid, api_key_id, model from bench_series
     union all select series, $1::uuid, ${allKeys}, model from (values ('small', 1), ('large', 2)) as models (model, series)
     union all select id, $2::uuid, gen_random_uuid(), model from bench_patterns`,
    [organizationId, patternsId],
  );
}

const amounts = usageColumns.map(({ name }) => {
  if (name === 'pricedRequests' || name === 'firstTokens') return 'requests';
  if (name === 'inputTokens' || name === 'cost') return 'requests * 180';
  if (name === 'firstTokenMicroseconds') return 'requests * 250000';
  return name === 'outputTokens' ? 'requests * 40' : 'null::bigint';
});

/** Usage of the patterns at `step`s of a period. */
const facts = (from: string, to: string, step: string, isUsed: string) => `
  with drawn as (
    select id as series_id, time, 1 + (number + extract(day from time)::integer) % 5 as requests,
      10 + number % 9 as bucket
    from generate_series(${from}, ${to} - interval '1 second', interval '${step}') as time cross join bench_patterns
    where ${isUsed}
  ), facts as materialized (
    select series_id, time, bucket as latency_bucket, requests::bigint, (requests / 5)::bigint as failures, 0::bigint as limited,
      ${usageColumns.map(({ column }, index) => `(${amounts[index]})::bigint as ${column}`).join(', ')},
      requests::bigint as timed
    from drawn
  )`;

const today = `date_trunc('day', now(), 'UTC')`;
const isUsedHour = `(extract(hour from time at time zone 'UTC')::integer - number % 24 + 24) % 24 < ${usedHours}`;

async function insertHistory(client: pg.Client, patternsId: string): Promise<void> {
  const firstHour = `${today} - interval '${hourlyDays} days'`;
  const hours = facts(firstHour, `date_trunc('hour', now(), 'UTC') - interval '1 hour'`, '1 hour', isUsedHour);
  await client.query(
    `${hours}, hours as (${addTo('hour', 'facts').text}), days as (${addTo('day', 'facts').text}),
     months as (${addTo('month', 'facts').text}) select`,
  );
  await client.query(
    `${facts(`${today} - interval '${days} days'`, firstHour, '24 hours', 'true')},
     days as (${addTo('day', 'facts').text}), months as (${addTo('month', 'facts').text}) select`,
  );
  for (const table of packedTables) {
    await client.query(
      `insert into ${table} (start, series_id, slots, latencies, ${sums.join(', ')})
       select start, bench_series.id, slots, latencies, ${sums.join(', ')}
       from ${table} join bench_series on pattern_id = series_id
       order by start, bench_series.id`,
    );
    await client.query(
      `delete from ${table} where series_id in (select id from usage_series where organization_id = $1)`,
      [patternsId],
    );
  }
}

/** Inserts the sums of all keys and of cohorts. Usage is the same for keys with the same pattern, so one of them is read. */
async function insertSums(client: pg.Client): Promise<void> {
  for (const { text } of createCohortsStatements) await client.query(text);
  await client.query(
    `update usage_series as series set creator_cohort_id = by_creator.id, tags_cohort_id = by_tags.id
     from api_keys as key
     join usage_cohorts as by_creator on (by_creator.organization_id, by_creator.creator_id) = (key.organization_id, created_by_id)
     join usage_cohorts as by_tags on (by_tags.organization_id, by_tags.tags) = (key.organization_id, key.tags)
     where key.id = api_key_id`,
  );
  await client.query(
    `insert into usage_series (id, api_key_id, model, cohort_id)
     select (select max(id) from usage_series) + row_number() over (), ${allKeys}, model, usage_cohorts.id
     from usage_cohorts cross join (values ('small'), ('large')) as models (model)`,
  );
  await client.query(
    `create table bench_sums as
     select sum_id, series_id, keys
     from (
       select total.id as sum_id, pattern_id, count(*) as keys
       from bench_series join usage_series as own using (id)
       join usage_series as total on total.model = own.model and (
         total.api_key_id = ${allKeys} and total.organization_id = own.organization_id
         or total.cohort_id = own.creator_cohort_id or total.cohort_id = own.tags_cohort_id
       )
       group by 1, 2
     ) as counted
     join (select pattern_id, min(id) as series_id from bench_series group by 1) as read using (pattern_id)`,
  );
  for (const table of packedTables) await insertSumsOf(client, table);
}

async function insertSumsOf(client: pg.Client, table: string): Promise<void> {
  await client.query(
    `with source as materialized (
       select ${table}.* from ${table} where series_id in (select series_id from bench_sums)
     )
     insert into ${table} (start, series_id, slots, latencies, ${sums.join(', ')})
     select start, sum_id, slots, latencies, ${sums.join(', ')}
     from (
       select start, sum_id, array_agg(slot order by slot) as slots,
         ${sums.map((column) => `array_agg(${column} order by slot) as ${column}`).join(', ')}
       from (
         select start, sum_id, slot,
           ${sums.map((column) => `sum(coalesce(${column}, 0) * keys)::bigint as ${column}`).join(', ')}
         from (
           select start, series_id, unnest(slots) as slot,
             ${sums.map((column) => `unnest(${column}) as ${column}`).join(', ')}
           from source
         ) as parts join bench_sums using (series_id)
         group by 1, 2, 3
       ) as slots group by 1, 2
     ) as sums join (
       select start, sum_id, array_agg((key << 40) + requests order by key) as latencies
       from (
         select start, sum_id, latency >> 40 as key, sum((latency & 1099511627775) * keys)::bigint as requests
         from (select start, series_id, unnest(latencies) as latency from source) as parts
         join bench_sums using (series_id)
         group by 1, 2, 3
       ) as buckets group by 1, 2
     ) as latencies using (start, sum_id)`,
  );
}

/** The rows that requests of the last two hours have written. */
async function insertRecentHours(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `insert into usage (
       organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited, microseconds,
       ${usageColumns.map(({ column }) => column).join(', ')}
     )
     select $1, time, api_key_id, bench_series.model, 10 + number % 9, requests, 0, 0, requests * 10000,
       ${amounts.join(', ')}
     from generate_series(
       date_trunc('hour', now(), 'UTC') - interval '1 hour', date_trunc('hour', now(), 'UTC'), interval '1 hour'
     ) as time
     cross join bench_series join bench_patterns on bench_patterns.id = pattern_id
     cross join lateral (select 1 + number % 5 as requests) as used
     where ${isUsedHour}`,
    [organizationId],
  );
}

/** Gives every key a budget of which a part is used: 80% and more of every hundredth. */
export async function limitUsedKeys(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `update api_keys set limits = '[{"metric": "requests", "per": "month", "max": 1000}]' where organization_id = $1`,
    [organizationId],
  );
  await client.query(
    `insert into limit_counters (owner_id, metric, per, organization_id, level, level_at)
     select id, 'requests', 'month', organization_id,
       case when abs(hashtext(id::text)) % 100 = 0 then 900 else abs(hashtext(id::text)) % 700 end, now()
     from api_keys where organization_id = $1`,
    [organizationId],
  );
  await client.query('vacuum analyze api_keys, limit_counters');
}
