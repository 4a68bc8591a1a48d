import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { addTo, allKeys } from '../../src/usage/history/packed-usage.js';
import { usageColumns } from '../../src/usage/usage-columns.js';
import { emptyUsage } from './empty-usage.js';

const keyCount = 10_000;
const requestCount = 100_000_000;
/** Every fifth key uses a second model. */
const keysPerSecondModel = 5;
const hourlyDays = 35;
const days = 365;

/** An organization, and the key with the most requests. */
export interface YearOfUsage {
  organizationId: string;
  busiestKeyId: string;
}

/**
 * Inserts what 100,000,000 requests by 10,000 keys of one organization leave after a year: the rows that the retention
 * task writes, and the last two hours. The busiest key has a tenth of the requests, and the number of requests falls with
 * the rank of the key (Zipf's law): half of the keys send fewer than six a day, spread over the day.
 */
export async function insertYearOfUsage(client: pg.Client): Promise<YearOfUsage> {
  const organizationId = uuidv7();
  await emptyUsage(client);
  await client.query(`insert into organizations (id, name) values ($1, 'A year of usage')`, [organizationId]);
  // Foreign keys are correct by construction.
  await client.query(`set session_replication_role = replica`);
  await insertSeries(client, organizationId);
  await createSamples(client);
  await insertHistory(client);
  await insertRecentHours(client, organizationId);
  await client.query('set session_replication_role = origin');
  for (const table of tables) await client.query(`vacuum analyze ${table}`);
  await client.query('checkpoint');
  const { rows } = await client.query<{ id: string }>(
    'select api_key_id as id from bench_series where rank = 1 limit 1',
  );
  return { organizationId, busiestKeyId: rows[0]?.id ?? '' };
}

/** All tables of usage. */
const tables = ['usage', 'usage_series', 'usage_by_hour', 'usage_by_day', 'usage_by_month'];

/** Size of all tables of usage with their indexes, in megabytes. */
export async function readUsageMegabytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'select sum(pg_total_relation_size(name::regclass)) as bytes from unnest($1::text[]) as name',
    [tables],
  );
  return Number(rows[0]?.bytes) / 1_000_000;
}

async function insertSeries(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `create table bench_series as
     select row_number() over () + 2 as id, rank, api_key_id, model,
       (${requestCount} / (sum(1.0 / rank) over ()) / rank / ${days} / 24)::float8 as per_hour
     from (
       select rank, api_key_id, model
       from (select rank, gen_random_uuid() as api_key_id from generate_series(1, ${keyCount}) as rank) as keys
       cross join (values ('universal-sentence-encoder-lite', 1), ('tesseract', ${keysPerSecondModel})) as served (model, every)
       where rank % every = 0
     ) as used`,
  );
  await client.query(
    `insert into usage_series (id, organization_id, api_key_id, model)
     select id, $1::uuid, api_key_id, model from bench_series
     union all
     select id, $1::uuid, ${allKeys}, model
     from (values (1, 'universal-sentence-encoder-lite'), (2, 'tesseract')) as sums (id, model)`,
    [organizationId],
  );
}

/** Latencies of 1 to 40 requests, 50 of each, and the frequencies of buckets. Most requests take 3 to 40 ms. */
async function createSamples(client: pg.Client): Promise<void> {
  await client.query(
    `create table bench_frequencies as
     select bucket::integer, (count(*) / 100000.0)::float8 as share
     from (select round(14 + 4 * random_normal()) as bucket from generate_series(1, 100000)) as drawn
     group by bucket having count(*) > 20`,
  );
  await client.query(
    `create table bench_samples as
     select requests, sample, array_agg(array[bucket, count] order by bucket) as latencies
     from (
       select requests, sample, round(14 + 4 * random_normal())::integer as bucket, count(*)::integer as count
       from generate_series(1, 40) as requests, generate_series(1, 50) as sample, generate_series(1, requests)
       group by 1, 2, 3
     ) as counted
     group by requests, sample`,
  );
  await client.query('create unique index on bench_samples (requests, sample) include (latencies)');
  await client.query('analyze bench_samples');
}

const unusedColumns = usageColumns
  .filter(({ name }) => name !== 'inputTokens' && name !== 'pages')
  .map(({ column }) => `null::bigint as ${column}`)
  .join(', ');

/** Usage of all keys at `step`s of a period, and its sum. */
const facts = (from: string, to: string, step: string, hours: number) => `
  with drawn as (
    select *, floor(per_hour * ${hours} * (0.8 + 0.4 * random()) + random())::integer as requests,
      1 + floor(random() * 50)::integer as sample
    from generate_series(${from}, ${to} - interval '1 second', interval '${step}') as time cross join bench_series
  ), own as materialized (
    select id as series_id, case model when 'tesseract' then 2 else 1 end as total_id, time, part.*
    from drawn
    left join bench_samples using (requests, sample)
    cross join lateral (
      select null::integer, 0, requests, (requests * 0.01 + random() * 0.5)::integer, 0, requests * 180,
        case model when 'tesseract' then requests * 2 else 0 end
      union all
      select latencies[i][1], latencies[i][2], 0, 0, 0, 0, 0 from generate_subscripts(latencies, 1) as i
      union all
      select bucket, ceil(share * requests)::integer, 0, 0, 0, 0, 0 from bench_frequencies where latencies is null
    ) as part (latency_bucket, timed, requests, failures, limited, input_tokens, pages)
    where drawn.requests > 0
  ), facts as materialized (
    select series_id, time, latency_bucket, timed::bigint, requests::bigint, failures::bigint, limited::bigint,
      input_tokens::bigint, pages::bigint, ${unusedColumns}
    from own
    union all
    select total_id, time, latency_bucket, sum(timed), sum(requests), sum(failures), sum(limited), sum(input_tokens),
      sum(pages), ${unusedColumns}
    from own group by 1, 2, 3
  )`;

/** Month by month: by day, and the last 35 days by hour. Then changes rows as often as the task does between two vacuums. */
async function insertHistory(client: pg.Client): Promise<void> {
  const today = `date_trunc('day', now(), 'UTC')`;
  const [firstDay, firstHour] = [days, hourlyDays].map((count) => `${today} - interval '${count} days'`);
  const { rows: months } = await client.query<{ start: Date }>(
    `select generate_series(date_trunc('month', ${firstDay}, 'UTC'), now(), interval '1 month') as start`,
  );
  const end = `$1::timestamptz + interval '1 month'`;
  for (const { start } of months) {
    await client.query(
      `${facts(`greatest($1, ${firstDay})`, `least(${end}, ${firstHour})`, '24 hours', 24)}, days as (${addTo('day', 'facts').text}),
       months as (${addTo('month', 'facts').text})
       select`,
      [start],
    );
    await client.query(
      `${facts(`greatest($1, ${firstHour})`, `least(${end}, date_trunc('hour', now(), 'UTC') - interval '1 hour')`, '1 hour', 1)},
       hours as (${addTo('hour', 'facts').text}), days as (${addTo('day', 'facts').text}), months as (${addTo('month', 'facts').text})
       select`,
      [start],
    );
  }
  for (let hour = 0; hour < 9; hour += 1) {
    if (hour % 3 === 0) for (const table of tables) await client.query(`vacuum analyze ${table}`);
    await client.query(`update usage_by_hour set slots = slots where start = ${today}`);
    await client.query(`update usage_by_day set slots = slots where start = date_trunc('month', now(), 'UTC')`);
    await client.query(`update usage_by_month set slots = slots where start = date_trunc('year', now(), 'UTC')`);
  }
}

/** The rows that requests of the last two hours have written. */
async function insertRecentHours(client: pg.Client, organizationId: string): Promise<void> {
  await insertHour(client, organizationId, 0);
  await insertHour(client, organizationId, 1);
}

/** Inserts rows of an hour before the last two, which the retention task moves. */
export async function insertPastHour(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select organization_id as id from usage_series limit 1');
  await insertHour(client, rows[0]?.id ?? '', 2);
}

async function insertHour(client: pg.Client, organizationId: string, hoursAgo: number): Promise<void> {
  await client.query(
    `insert into usage (
       organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited, input_tokens, pages,
       microseconds
     )
     select $1::uuid, date_trunc('hour', now() - make_interval(hours => $2), 'UTC'), api_key_id, model, bucket,
       requests, 0, 0, requests * 180, 0, requests * 10000
     from bench_series cross join bench_frequencies
     cross join lateral (select floor(per_hour * share + random())::integer as requests) as drawn
     where requests > 0
     on conflict do nothing`,
    [organizationId, hoursAgo],
  );
}
