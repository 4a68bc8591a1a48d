import type { ClientBase } from 'pg';
import type { Config } from '../config/read-config.js';
import { maxFailedRequests } from '../usage/failures/failure-queries.js';
import { deleteDayOfUsage, findHourlyDays, findOldDays, moveUsage, rollUpDay } from '../usage/history/move-usage.js';
import { dayStart, hourlyDays } from '../usage/history/packed-usage.js';

type RetentionSettings = Pick<Config, 'usageRetentionDays' | 'auditRetentionDays'>;

/** Runs work in a transaction of its own, if no other replica does, and returns its result, a number of rows. */
type RunBatch = (work: (client: ClientBase) => Promise<number>) => Promise<number>;

/** A part of the retention task. */
interface RetentionStep {
  /** Of its count in the log and in the metrics. */
  name: string;
  run: (runBatch: RunBatch) => Promise<void>;
}

const batchSize = 1000;
/** How long requests that failed, and links that expired, are kept. */
const monthDays = 30;

/** In running order. Every step can be interrupted between two batches. */
export function retentionSteps({ usageRetentionDays, auditRetentionDays }: RetentionSettings): RetentionStep[] {
  const beforeUsage = `now() - interval '${usageRetentionDays} days'`;
  const firstUsageDay = `date_trunc('day', ${beforeUsage}, 'UTC')`;
  return [
    { name: 'packed-usage', run: (runBatch) => repeat(runBatch, moveUsage) },
    { name: 'rolled-up-hours', run: (runBatch) => forEachDay(runBatch, findHourlyDays, rollUpDay) },
    {
      name: 'usage',
      run: (runBatch) => forEachDay(runBatch, (client) => findOldDays(client, usageRetentionDays), deleteDayOfUsage),
    },
    deletion('usage-months', 'usage_months', `start < date_trunc('month', ${firstUsageDay}, 'UTC')`),
    deletion(
      'usage-series',
      'usage_series',
      `not exists (select from usage_months where series_id = id) and not exists (select from usage_history where series_id = id)`,
    ),
    deletion('deleted-api-keys', 'deleted_api_keys', `deleted_at < ${firstUsageDay} - interval '1 day'`),
    { name: 'rolled-up-failure-counts', run: (runBatch) => repeat(runBatch, rollUpFailureCounts) },
    deletion('failure-counts', 'failure_counts', `hour < ${firstUsageDay}`),
    deletion(
      'failed-requests',
      'failed_requests',
      `occurred_at < greatest(
         now() - interval '${monthDays} days',
         (select occurred_at from failed_requests order by occurred_at desc offset ${maxFailedRequests} limit 1)
       )`,
    ),
    ...(auditRetentionDays === undefined ? [] : [auditStep(auditRetentionDays)]),
    deletion('sessions', 'sessions', 'expires_at < now()'),
    deletion('invitations', 'invitations', `expires_at < now() - interval '${monthDays} days'`),
    deletion('password-resets', 'password_resets', `expires_at < now() - interval '${monthDays} days'`),
    deletion('sign-in-attempts', 'rate_limits', `expire < extract(epoch from now() - interval '1 hour') * 1000`),
    deletion('logout-tokens', 'logout_tokens', 'expires_at < now()'),
    deletion('provider-logouts', 'provider_logouts', 'expires_at < now()'),
  ];
}

/** Deletes rows in small batches, and skips locked ones: a transaction that waits must not make others wait. */
function deletion(name: string, table: string, condition: string): RetentionStep {
  const statement = `
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${condition} limit ${batchSize} for update skip locked
    ))`;
  return {
    name,
    run: (runBatch) => repeat(runBatch, async (client) => (await client.query(statement)).rowCount ?? 0),
  };
}

function auditStep(retentionDays: number): RetentionStep {
  const deleteBatch = async (client: ClientBase) => {
    const { rows } = await client.query<{ count: number }>('select delete_old_audit_events($1, $2) as count', [
      retentionDays,
      batchSize,
    ]);
    return rows[0]?.count ?? 0;
  };
  return { name: 'audit-events', run: (runBatch) => repeat(runBatch, deleteBatch) };
}

const mergeFailureCounts = `
  with old as materialized (
    select ctid from failure_counts
    where hour < date_trunc('day', now() - interval '${hourlyDays} days', 'UTC') and hour <> ${dayStart('hour')}
    limit ${batchSize} for update skip locked
  ), moved as (
    delete from failure_counts where ctid = any (array(select ctid from old)) returning *
  ), merged as (
    insert into failure_counts (organization_id, hour, api_key_id, model, status, code, requests)
    select organization_id, ${dayStart('hour')}, api_key_id, model, status, code, sum(requests)
    from moved group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, hour, api_key_id, model, status, code)
      do update set requests = failure_counts.requests + excluded.requests
  )
  select count(*)::integer as count from moved`;

async function rollUpFailureCounts(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(mergeFailureCounts);
  return rows[0]?.count ?? 0;
}

async function repeat(runBatch: RunBatch, work: (client: ClientBase) => Promise<number>): Promise<void> {
  while ((await runBatch(work)) > 0);
}

/** Finds days, then works on each in a transaction of its own. */
async function forEachDay<Day>(
  runBatch: RunBatch,
  find: (client: ClientBase) => Promise<Day[]>,
  work: (client: ClientBase, day: Day) => Promise<number>,
): Promise<void> {
  let days: Day[] = [];
  await runBatch(async (client) => {
    days = await find(client);
    return 0;
  });
  for (const day of days) await runBatch((client) => work(client, day));
}
