import type { EntityManager } from 'typeorm';
import { NIL } from 'uuid';
import { currentTime } from '../database/clock.js';
import { loadStatement } from '../database/sql-file.js';
import type { LimitStateDto } from './dto/limit.dto.js';
import { compareLimits, type Limit, millisecondsUntilReset, remainingOf, usedOf } from './limit.js';
import { recordedColumns } from './recorded-usage.js';
import { toShownAmount, toShownLimit } from './stored-limits.js';

/** The API key or organization that limits belong to. */
interface LimitOwner {
  id: string;
  organizationId: string;
}

export const addCounters = loadStatement('limits/add-limit-counters.sql', {
  parameters: ['ownerId', 'organizationId', 'limits'],
  lists: recordedColumns,
});

export const readStates = loadStatement('limits/read-limit-states.sql', { parameters: ['ownerIds'] });

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
  const values = addCounters.bind({ ownerId: id, organizationId, limits: JSON.stringify(added) });
  await manager.query(addCounters.text, values);
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

/** A row of read-limit-states.sql. */
interface StateRow {
  ownerId: string;
  limit: Limit;
  time: Date;
  isIncreased: boolean;
  max: string;
  charged: string;
  reserved: string;
  estimated: string;
  resetsAt: Date | null;
}

/**
 * Reads the limits of an API key or organization with their current state, sorted.
 *
 * @param ownerId of the API key or organization
 */
export async function readLimitStates(manager: EntityManager, ownerId: string): Promise<LimitStateDto[]> {
  return (await readLimitStatesOf(manager, [ownerId])).get(ownerId) ?? [];
}

/** Reads the limits of several API keys or organizations in one statement, by id. Those without limits are missing. */
export async function readLimitStatesOf(
  manager: EntityManager,
  ownerIds: readonly string[],
): Promise<Map<string, LimitStateDto[]>> {
  const rows = await manager.query<StateRow[]>(readStates.text, readStates.bind({ ownerIds }));
  const states = new Map<string, LimitStateDto[]>();
  for (const row of rows.sort((one, other) => compareLimits(one.limit, other.limit))) {
    const { ownerId, limit, isIncreased } = row;
    const state = { ...toShownLimit(limit), ...amountsOf(row), resetsAt: resetOf(row), isIncreased };
    const own = states.get(ownerId);
    if (own === undefined) states.set(ownerId, [state]);
    else own.push(state);
  }
  return states;
}

type ShownAmounts = Pick<LimitStateDto, 'used' | 'reserved' | 'estimated' | 'remaining'>;

function amountsOf({ limit: { metric }, max, charged, reserved, estimated }: StateRow): ShownAmounts {
  if (metric === 'cost') {
    const used = BigInt(charged) + BigInt(reserved);
    const remaining = BigInt(max) - used;
    return {
      used: toShownAmount(metric, String(used)),
      reserved: toShownAmount(metric, reserved),
      estimated: toShownAmount(metric, estimated),
      remaining: toShownAmount(metric, String(remaining > 0n ? remaining : 0n)),
    };
  }
  const state = { max: Number(max), charged: Number(charged), reserved: Number(reserved) };
  return {
    used: usedOf(state),
    // Requests that run hold nothing but their number.
    reserved: metric === 'concurrency' ? 0 : state.reserved,
    estimated: Math.ceil(Number(estimated)),
    remaining: remainingOf(state),
  };
}

function resetOf({ ownerId, limit, time, resetsAt, ...amounts }: StateRow): string | null {
  const { metric, per } = limit;
  if (metric === 'concurrency') return null;
  if (resetsAt !== null) return resetsAt.toISOString();
  const [max, charged, reserved] = [Number(amounts.max), Number(amounts.charged), Number(amounts.reserved)];
  const state = { ownerId, metric, per, max, charged, reserved };
  return addMilliseconds(time, millisecondsUntilReset(state, time)).toISOString();
}

/** The last time that ISO 8601 writes with four digits for the year. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Filling up again takes thousands of years after a maximum was lowered far below what is used. */
function addMilliseconds(time: Date, milliseconds: number): Date {
  return new Date(Math.min(lastTime, time.getTime() + milliseconds));
}
