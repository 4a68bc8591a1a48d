import type { EntityManager } from 'typeorm';
import { NIL } from 'uuid';
import { currentTime } from '../database/clock.js';
import type { LimitStateDto } from './dto/limit.dto.js';
import { compareLimits, type Limit, type LimitState, millisecondsUntilReset, remainingOf, usedOf } from './limit.js';

/** The API key or organization that limits belong to. */
interface LimitOwner {
  id: string;
  organizationId: string;
}

/** SQL for a column of a counter that's added again. */
const keptByBudgets = (column: string) => `
  case when excluded.per in ('day', 'month')
    and is_in_limit_period(excluded.per, limit_counters.level_at, excluded.level_at) then limit_counters.${column} else 0 end`;

/**
 * Adds counters for new limits. Budgets start with what usage has recorded in their period. Requests lock the counters
 * of committed limits, so this must not touch those, or a stalled transaction would block all requests: a new maximum
 * changes no counter, and a removed limit leaves its counter behind. When the limit is added again, a budget keeps what
 * was charged in its period, and the others start unused.
 *
 * @param manager of the transaction that sets the limits
 * @param before the committed limits, read after locking the owner
 */
export async function addLimitCounters(
  manager: EntityManager,
  { id, organizationId }: LimitOwner,
  before: readonly Limit[] | null,
  after: readonly Limit[] | null,
): Promise<void> {
  const added = (after ?? []).filter((limit) => !before?.some((other) => compareLimits(limit, other) === 0));
  if (added.length === 0) return;
  await manager.query(
    `with added as (
       select * from unnest($3::text[], $4::text[]) as one (metric, per)
     ), clock as materialized (
       select ${currentTime} as time
     ), recorded as (
       select budget.per, sum(requests) as requests, sum(tokens) as tokens, sum(pages) as pages
       from clock cross join (select distinct per from added where per in ('day', 'month')) as budget
       join (
         select hour, requests, input_tokens, pages from usage
         where organization_id = $2 and (api_key_id = $1 or $1::uuid = $2::uuid)
           and hour >= date_trunc('month', now(), 'UTC')
         union all
         select start + slot * interval '24 hours', packed.requests, coalesce(packed.input_tokens, 0), coalesce(packed.pages, 0)
         from usage_series join usage_by_day as days on series_id = id
         cross join lateral unnest(days.slots, days.requests, days.input_tokens, days.pages)
           as packed (slot, requests, input_tokens, pages)
         where organization_id = $2 and api_key_id = case when $1::uuid = $2::uuid then '${NIL}' else $1::uuid end
           and start >= date_trunc('month', now(), 'UTC')
       ) as used (hour, requests, tokens, pages) on hour >= date_trunc(budget.per, clock.time, 'UTC')
       group by budget.per
     )
     insert into limit_counters (owner_id, metric, per, organization_id, level, level_at)
     select $1, metric, per, $2,
       coalesce(case metric when 'requests' then requests when 'tokens' then tokens else pages end, 0), clock.time
     from clock cross join added left join recorded using (per)
     order by metric, per
     on conflict (owner_id, metric, per) do update
     set level = case when excluded.per in ('day', 'month') then greatest(
           excluded.level,
           limit_level(excluded.per, 0, limit_counters.level, limit_counters.level_at, excluded.level_at)
         ) else 0 end,
       level_at = excluded.level_at,
       estimated = ${keptByBudgets('estimated')}, reserved = ${keptByBudgets('reserved')},
       reserved_before = ${keptByBudgets('reserved_before')}`,
    [id, organizationId, added.map(({ metric }) => metric), added.map(({ per }) => per)],
  );
}

/** Updating a key takes up to 50 µs, and a query must not take longer than 5 seconds. */
const batchSize = 10_000;

/**
 * Marks all keys of an organization as limited by it, or not. Locks keys after the organization, as every change does,
 * so that changes of keys and organizations can't deadlock.
 *
 * @param manager of the transaction that sets the organization's limits, which keeps keys from being created
 */
export async function markOrganizationLimited(
  manager: EntityManager,
  organizationId: string,
  isLimited: boolean,
): Promise<void> {
  let last: { createdAt: Date; id: string } | undefined;
  do {
    [last] = await manager.query<{ createdAt: Date; id: string }[]>(
      `with batch as materialized (
         select id, created_at from api_keys
         where organization_id = $1 and (created_at, id) > ($3::timestamptz, $4::uuid)
         order by created_at, id limit ${batchSize}
       ), marked as (
         update api_keys set organization_limited = $2 from batch
         where api_keys.id = batch.id and organization_limited <> $2
       )
       select created_at as "createdAt", id from batch order by created_at, id offset ${batchSize - 1}`,
      [organizationId, isLimited, last?.createdAt ?? '-infinity', last?.id ?? NIL],
    );
  } while (last !== undefined);
}

/**
 * Deletes the counters of the organization's keys that were deleted within a day. Call it after the deletion of a key
 * was committed: within that transaction, it would lock counters that requests need. The day covers a replica that was
 * killed in between.
 */
export async function deleteCountersOfDeletedKeys(manager: EntityManager, organizationId: string): Promise<void> {
  // In the lock order of requests that started before the deletion.
  await manager.query(
    `with unused as (
       select owner_id, metric, per from limit_counters
       where owner_id in (
         select id from deleted_api_keys
         where organization_id = $1 and deleted_at > ${currentTime} - interval '1 day'
       )
       order by owner_id, metric, per
       for update
     )
     delete from limit_counters using unused
     where limit_counters.owner_id = unused.owner_id and limit_counters.metric = unused.metric
       and limit_counters.per = unused.per`,
    [organizationId],
  );
}

type StateRow = Omit<LimitState, 'ownerId'> & { estimated: number; time: Date };

/**
 * Reads the limits of an API key or organization with their current state, sorted.
 *
 * @param ownerId of the API key or organization
 */
export async function readLimitStates(manager: EntityManager, ownerId: string): Promise<LimitStateDto[]> {
  const rows = await manager.query<StateRow[]>(
    `with clock as materialized (
       select ${currentTime} as time
     )
     select metric, per, max::double precision as max, time, coalesce(charged, 0) as charged,
       coalesce(limit_reserved(per, reserved, reserved_before, generation, level_at, time), 0)::double precision as reserved,
       coalesce(case when is_in_limit_period(per, level_at, time) then least(estimated, charged) end, 0) as estimated
     from clock cross join limits_of(array[$1::uuid], array[$1::uuid])
     left join limit_counters using (owner_id, metric, per)
     cross join lateral limit_level(per, max, level, level_at, time) as charged`,
    [ownerId],
  );
  return rows.sort(compareLimits).map(({ time, estimated, ...row }) => {
    const state = { ...row, ownerId };
    return {
      metric: state.metric,
      per: state.per,
      max: state.max,
      used: usedOf(state),
      reserved: state.reserved,
      estimated: Math.ceil(estimated),
      remaining: remainingOf(state),
      resetsAt: addMilliseconds(time, millisecondsUntilReset(state, time)).toISOString(),
    };
  });
}

/** The last time that ISO 8601 writes with four digits for the year. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Filling up again takes thousands of years after a maximum was lowered far below what is used. */
function addMilliseconds(time: Date, milliseconds: number): Date {
  return new Date(Math.min(lastTime, time.getTime() + milliseconds));
}
