import type { ClientBase } from 'pg';
import { addTo, allKeys, joinParts } from './packed-usage.js';

/** Rows of `usage` per transaction. */
const batchSize = 1000;

/** Start of the hours that are still written: 10 minutes after its end, no write of an hour is in progress. */
const openHours = `date_trunc('hour', now() - interval '10 minutes', 'UTC')`;

const addSeries = `
  insert into usage_series (id, organization_id, api_key_id, model)
  select (select coalesce(max(id), 0) from usage_series) + row_number() over (), organization_id, owner_id, model
  from (
    select distinct organization_id, owner_id, model
    from (
      select organization_id, api_key_id, model from usage where hour < ${openHours}
      order by organization_id, hour limit ${batchSize}
    ) as closed cross join lateral (values (api_key_id), (${allKeys})) as owner (owner_id)
  ) as needed
  where not exists (select from usage_series where (organization_id, api_key_id, model)
    = (needed.organization_id, needed.owner_id, needed.model))`;

/** Skips rows that are locked by a late write, and those whose series don't exist yet. */
const moveHours = `
  with closed as materialized (
    select usage.ctid from usage
    join usage_series as own using (organization_id, api_key_id, model)
    join usage_series as total on total.organization_id = usage.organization_id
      and total.api_key_id = ${allKeys} and total.model = usage.model
    where hour < ${openHours}
    order by usage.organization_id, hour limit ${batchSize}
    for update of usage skip locked
  ), moved as (
    delete from usage where ctid = any (array(select ctid from closed)) returning *
  ), facts as materialized (
    select series.id as series_id, hour as time, latency_bucket::integer, requests as timed,
      requests, failures, limited, estimated, input_tokens, pages
    from moved join usage_series as series on series.organization_id = moved.organization_id
      and series.api_key_id in (moved.api_key_id, ${allKeys}) and series.model = moved.model
  ), hours as (${addTo('hour', 'facts')}
  ), days as (${addTo('day', 'facts')}
  ), months as (${addTo('month', 'facts')}
  )
  select count(*)::integer as count from moved`;

/**
 * Moves a batch of usage of past hours from `usage`, which requests write to, to packed rows for the key and for all keys.
 * In one statement, so that a crash or a late write neither loses usage nor counts it twice.
 *
 * @param client in a transaction with the lock of the retention task
 * @returns number of moved rows
 */
export async function moveUsage(client: ClientBase): Promise<number> {
  await client.query(addSeries);
  return countOf(client, moveHours);
}

/** Packed rows per transaction. */
const deletionBatchSize = 200;

const deleteDays = `
  with first_kept as materialized (
    select date_trunc('day', now() - make_interval(days => $1), 'UTC') as day
  ), old as materialized (
    select packed.* from usage_by_day as packed, first_kept
    where start < day and start + slots[1] * interval '24 hours' < day limit ${deletionBatchSize}
  ), facts as materialized (
    select series_id, start + slot * interval '24 hours' as time, part.* from old ${joinParts('old')}, first_kept
    where start + slot * interval '24 hours' < day
  ), days as (${addTo('day', 'facts', '-')}
  ), months as (${addTo('month', 'facts', '-')}
  )
  select count(*)::integer as count from old`;

/** Removes days older than the retention period from a batch of rows. Returns the number of rows. */
export function deleteDaysOfUsage(client: ClientBase, retentionDays: number): Promise<number> {
  return countOf(client, deleteDays, [retentionDays]);
}

async function countOf(client: ClientBase, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ count: number }>(statement, values);
  return rows[0]?.count ?? 0;
}
