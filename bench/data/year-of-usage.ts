import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { allKeys } from '../../src/usage/history/packed-usage.js';

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
  await client.query(`insert into organizations (id, name) values ($1, 'A year of usage')`, [organizationId]);
  // Foreign keys are correct by construction.
  await client.query(`set session_replication_role = replica`);
  await insertSeries(client, organizationId);
  await createSamples(client);
  await insertHistory(client);
  await insertSums(client);
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
const tables = ['usage', 'usage_series', 'usage_history', 'usage_months'];

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

/** SQL for the latencies of many requests. */
const spread = (requests: string) =>
  `(select array_agg(array[bucket, ceil(share * ${requests})::integer] order by bucket) from bench_frequencies)`;

/** In the order of time, as the task writes them, so that indexes are as full as they would be. */
async function insertHistory(client: pg.Client): Promise<void> {
  const insert = (hours: number, from: string, to: string, step: string, offset: string) =>
    client.query(
      `insert into usage_history (series_id, start, requests, input_tokens, failures, limited, pages, latencies)
       select drawn.id, start + interval '${offset}', drawn.requests, drawn.requests * 180,
         nullif((drawn.requests * 0.01 + random() * 0.5)::integer, 0), null,
         case when model = 'tesseract' then drawn.requests * 2 end,
         coalesce(latencies, ${spread('drawn.requests')})
       from (
         select *, floor(per_hour * ${hours} * (0.8 + 0.4 * random()) + random())::integer as requests,
           1 + floor(random() * 50)::integer as sample
         from generate_series(${from}, ${to}, interval '${step}') as start cross join bench_series
         order by start, id
       ) as drawn
       left join bench_samples using (requests, sample)
       where drawn.requests > 0`,
    );
  const today = `date_trunc('day', now(), 'UTC')`;
  await insert(
    24,
    `${today} - interval '${days} days'`,
    `${today} - interval '${hourlyDays + 1} days'`,
    '1 day',
    '10 hours',
  );
  await insert(
    1,
    `${today} - interval '${hourlyDays} days'`,
    `date_trunc('hour', now() - interval '2 hours', 'UTC')`,
    '1 hour',
    '0',
  );
}

/** Months, and the sums of all keys. */
async function insertSums(client: pg.Client): Promise<void> {
  const insert = (table: string, id: string, start: string) =>
    client.query(
      `insert into ${table} (series_id, start, requests, input_tokens, failures, limited, pages, latencies)
       select *, ${spread('summed.requests')}
       from (
         select ${id} as id, ${start} as start, sum(requests) as requests, sum(input_tokens), sum(failures), sum(limited),
           sum(pages)
         from usage_history join bench_series on id = series_id group by 1, 2 order by 2, 1
       ) as summed`,
    );
  const month = `date_trunc('month', start, 'UTC')`;
  const total = `case model when 'tesseract' then 2 else 1 end`;
  await insert('usage_months', 'series_id', month);
  await insert('usage_months', total, month);
  await insert('usage_history', total, 'start');
}

/** The rows that requests of the last two hours have written. */
async function insertRecentHours(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `insert into usage (
       organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited, input_tokens, pages,
       microseconds
     )
     select $1::uuid, hour, api_key_id, model, bucket, requests, 0, 0, requests * 180, 0, requests * 10000
     from generate_series(
       date_trunc('hour', now() - interval '1 hour', 'UTC'), date_trunc('hour', now(), 'UTC'), interval '1 hour'
     ) as hour
     cross join bench_series cross join bench_frequencies
     cross join lateral (select floor(per_hour * share + random())::integer as requests) as drawn
     where requests > 0`,
    [organizationId],
  );
}
