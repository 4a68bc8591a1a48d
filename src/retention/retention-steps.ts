import type { ClientBase } from 'pg';
import { recordDeletion } from '../audit/proofs/record-deletion.js';
import { type AuditKey, toAuditKeys } from '../audit/proofs/audit-key.js';
import type { Config } from '../config/read-config.js';
import type { ServiceConfig } from '../config/service-config.js';
import { oldHistory } from '../database/history/history-queries.js';
import type { RunBatch } from '../database/run-batch.js';
import { changeCohorts } from '../usage/cohorts/change-cohorts.js';
import { maxFailedRequests } from '../usage/failures/failure-queries.js';
import { deleteDaysOfUsage, moveUsage } from '../usage/history/move-usage.js';
import { hourlyDays, packedTables } from '../usage/history/packed-usage.js';
import { loggedDays } from '../usage/requests/request-queries.js';

type RetentionSettings = Pick<Config, 'usageRetentionDays' | 'auditRetentionDays'> &
  Pick<ServiceConfig, 'auditSigningKeys'>;

/** A part of the retention task. */
interface RetentionStep {
  /** What its count is called in the log and in the metrics. */
  name: string;
  run: (runBatch: RunBatch) => Promise<void>;
}

const batchSize = 1000;
/** How long requests that failed, deliveries to webhooks, and links that expired are kept. */
const monthDays = 30;

/** What the deletion of an organization leaves behind. Deleting a series deletes its packed usage. */
const deletedOrganizationTables = [
  'usage',
  'usage_series',
  'usage_cohorts',
  'failure_counts',
  'failed_requests',
  'request_chunks',
  'deleted_api_keys',
  'limit_counters',
  'idempotency_keys',
  'leak_reports',
  'webhook_deliveries',
  'events',
];

const ofDeletedOrganization =
  'organization_id = any (array(select id from organizations where deleted_at is not null))';

/** SQL for the start of a past UTC day. */
const startOfDay = (daysAgo: number) => `date_trunc('day', now() - interval '${daysAgo} days', 'UTC')`;
const firstHourlyDay = startOfDay(hourlyDays);

/** In running order. Every step can be interrupted between two batches. */
export function retentionSteps({
  usageRetentionDays,
  auditRetentionDays,
  auditSigningKeys,
}: RetentionSettings): RetentionStep[] {
  const firstUsageDay = startOfDay(usageRetentionDays);
  return [
    ...deletedOrganizationTables.map((table) => deletion('deleted-organizations', table, ofDeletedOrganization)),
    // Audit events refer to their organization.
    deletion(
      'deleted-organizations',
      'organizations',
      `deleted_at < now() - interval '${monthDays} days'
       and not exists (select from audit_events where organization_id = organizations.id)`,
    ),
    { name: 'packed-usage', run: (runBatch) => repeat(runBatch, moveUsage) },
    // A day later than reports stop reading them, because clocks differ.
    deletion('usage-hours', 'usage_by_hour', `start < ${firstHourlyDay} - interval '24 hours'`),
    {
      name: 'usage-days',
      run: (runBatch) => repeat(runBatch, (client) => deleteDaysOfUsage(client, usageRetentionDays)),
    },
    // Those of months and years without usage.
    deletion('usage-days', 'usage_by_day', `start < date_trunc('month', ${firstUsageDay}, 'UTC')`),
    deletion('usage-months', 'usage_by_month', `start < date_trunc('year', ${firstUsageDay}, 'UTC')`),
    // Those of cohorts are deleted with their cohort.
    deletion(
      'usage-series',
      'usage_series',
      `cohort_id is null and not exists (select from usage_by_month where series_id = id)`,
    ),
    deletion('deleted-api-keys', 'deleted_api_keys', `deleted_at < ${firstUsageDay} - interval '1 day'`),
    { name: 'usage-cohorts', run: changeCohorts },
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
    // Increases can end long after the deletion of their key.
    deletion(
      'limit-checks',
      'limit_checks',
      `not exists (select from api_keys where id = owner_id)
       and not exists (select from organizations where id = owner_id and deleted_at is null)`,
    ),
    deletion('latest-requests', 'request_chunks', `last_at < now() - interval '${loggedDays} days'`),
    ...(auditRetentionDays === undefined ? [] : [auditStep(auditRetentionDays, toAuditKeys(auditSigningKeys)[0])]),
    deletion('webhook-deliveries', 'webhook_deliveries', `created_at < now() - interval '${monthDays} days'`),
    // A day later than their deliveries. The newest one stays, because positions continue from there.
    deletion(
      'events',
      'events',
      `occurred_at < now() - interval '${monthDays + 1} days' and position < (select max(position) from events)`,
    ),
    deletion('sessions', 'sessions', 'expires_at < now()'),
    deletion('invitations', 'invitations', `expires_at < now() - interval '${monthDays} days'`),
    deletion('password-resets', 'password_resets', `expires_at < now() - interval '${monthDays} days'`),
    deletion('known-devices', 'known_devices', `seen_at < now() - interval '90 days'`),
    deletion('sign-in-attempts', 'rate_limits', `expire < extract(epoch from now() - interval '1 hour') * 1000`),
    deletion('logout-tokens', 'logout_tokens', 'expires_at < now()'),
    deletion('database-history', 'database_history', oldHistory),
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

function auditStep(retentionDays: number, key: AuditKey | undefined): RetentionStep {
  const deleteBatch = async (client: ClientBase) => {
    await recordDeletion(client, retentionDays, key);
    const { rows } = await client.query<{ count: number }>('select delete_old_audit_events($1, $2) as count', [
      retentionDays,
      batchSize,
    ]);
    return rows[0]?.count ?? 0;
  };
  return { name: 'audit-events', run: (runBatch) => repeat(runBatch, deleteBatch) };
}

/** Where the counts of a whole UTC day are kept: the time at which the usage of a day counts. */
const dayTime = packedTables.day.timeOf(`date_trunc('day', hour, 'UTC')`, '0');

const mergeFailureCounts = `
  with old as materialized (
    select ctid from failure_counts
    where hour < ${firstHourlyDay} and hour <> ${dayTime}
    limit ${batchSize} for update skip locked
  ), moved as (
    delete from failure_counts where ctid = any (array(select ctid from old)) returning *
  ), merged as (
    insert into failure_counts (organization_id, hour, api_key_id, model, status, code, requests)
    select organization_id, ${dayTime}, api_key_id, model, status, code, sum(requests)
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
