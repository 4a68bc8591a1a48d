import type { ClientBase } from 'pg';
import { addTo, allKeys, dayStart, hourlyDays, joinParts } from './packed-usage.js';

/** Rows of `usage` per transaction. */
const batchSize = 5000;

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
    select series.id as series_id, hour, latency_bucket::integer, requests as timed,
      requests, failures, limited, input_tokens, pages
    from moved join usage_series as series on series.organization_id = moved.organization_id
      and series.api_key_id in (moved.api_key_id, ${allKeys}) and series.model = moved.model
  ), added as (${addTo('usage_history', 'facts', { start: 'hour' })}
  ), summed as (${addTo('usage_months', 'facts', { start: `date_trunc('month', hour, 'UTC')` })}
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

/** A UTC day of an organization. */
interface UsageDay {
  organizationId: string;
  day: Date;
}

/** Every row of a key has one of all keys, which are fewer. */
const findDays = (condition: string) => `
  select distinct organization_id as "organizationId", date_trunc('day', start, 'UTC') as day
  from usage_series join usage_history on series_id = id
  where api_key_id = ${allKeys} and ${condition}
  order by day`;

/** Finds days whose hours are to become days. */
export async function findHourlyDays(client: ClientBase): Promise<UsageDay[]> {
  const end = `date_trunc('day', now() - interval '${hourlyDays} days', 'UTC')`;
  const { rows } = await client.query<UsageDay>(findDays(`start < ${end} and start <> ${dayStart('start')}`));
  return rows;
}

/** Finds days that are older than usage is kept. */
export async function findOldDays(client: ClientBase, retentionDays: number): Promise<UsageDay[]> {
  const end = `date_trunc('day', now() - make_interval(days => $1), 'UTC')`;
  const { rows } = await client.query<UsageDay>(findDays(`start < ${end}`), [retentionDays]);
  return rows;
}

/** Deletes rows of a day, in a CTE that the statements below continue. */
const deleteDay = (condition: string) => `
  with deleted as (
    delete from usage_history using usage_series
    where series_id = id and organization_id = $1 and start >= $2 and start < $2::timestamptz + interval '24 hours'
      and ${condition}
    returning usage_history.*
  ), facts as materialized (
    select series_id, start, part.* from deleted ${joinParts('deleted')}
  )`;

const rollUp = `${deleteDay(`start <> ${dayStart('start')}`)}, added as (
    ${addTo('usage_history', 'facts', { start: dayStart('start') })}
  )
  select count(*)::integer as count from deleted`;

/** Merges the hours of a day into one row per series. Returns their number. */
export function rollUpDay(client: ClientBase, { organizationId, day }: UsageDay): Promise<number> {
  return countOf(client, rollUp, [organizationId, day]);
}

const deleteAndSubtract = `${deleteDay('true')}, subtracted as (
    ${addTo('usage_months', 'facts', { start: `date_trunc('month', start, 'UTC')`, sign: '-' })}
  )
  select count(*)::integer as count from deleted`;

/** Deletes the usage of a day, also from the sums of its month. Returns the number of deleted rows. */
export function deleteDayOfUsage(client: ClientBase, { organizationId, day }: UsageDay): Promise<number> {
  return countOf(client, deleteAndSubtract, [organizationId, day]);
}

async function countOf(client: ClientBase, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ count: number }>(statement, values);
  return rows[0]?.count ?? 0;
}
