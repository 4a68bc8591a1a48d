import { type Cell, change, readJson, select } from './cell.js';
import type { MatchedAccount } from './match-accounts.js';
import { upsert } from './upsert.js';

interface CopiedTable {
  name: string;
  key: string[];
  /** Columns with ids of accounts. */
  accounts?: string[];
}

/** What gives access to an organization, parents first. Copied as a whole, because it is small. */
const accessTables: CopiedTable[] = [
  { name: 'roles', key: ['id'] },
  { name: 'service_accounts', key: ['id'] },
  { name: 'memberships', key: ['id'], accounts: ['user_id'] },
  { name: 'provisioned_memberships', key: ['user_id', 'organization_id'], accounts: ['user_id'] },
  { name: 'invitations', key: ['id'], accounts: ['invited_by_id'] },
  { name: 'former_members', key: ['organization_id', 'user_id'], accounts: ['user_id'] },
  { name: 'webhooks', key: ['id'] },
  { name: 'idempotency_keys', key: ['hash'] },
];

/** Key of the advisory lock under which events get their positions. */
export const dispatchLock = 7_402_118_356;

/**
 * Copies the organization with everything that gives access to it, its webhooks, and deliveries that are still to be made.
 *
 * @param target in the transaction that activates the organization
 */
export async function copyAccess(
  source: Cell,
  target: Cell,
  organizationId: string,
  accounts: readonly MatchedAccount[],
): Promise<void> {
  const organization = await readJson(source, 'select * from organizations where id = $1', [organizationId]);
  await upsert(target, 'organizations', ['id'], organization.rows);
  await addAccounts(source, target, accounts);
  for (const { name, key, accounts: columns = [] } of accessTables) {
    const { rows } = await readJson(source, `select * from ${name} where organization_id = $1`, [organizationId]);
    await upsert(
      target,
      name,
      key,
      columns.length === 0 ? rows : await renameAccounts(target, columns, rows, accounts),
    );
  }
  await copyExpiryNotices(source, target, organizationId);
  await copyWaitingDeliveries(source, target, organizationId);
}

async function addAccounts(source: Cell, target: Cell, accounts: readonly MatchedAccount[]): Promise<void> {
  const created = accounts.filter(({ isNew }) => isNew).map(({ sourceId }) => sourceId);
  const users = await readJson(source, 'select * from users where id = any ($1::uuid[])', [created]);
  await upsert(target, 'users', ['id'], users.rows);
  const identities = await readJson(source, 'select * from user_identities where user_id = any ($1::uuid[])', [
    created,
  ]);
  await upsert(target, 'user_identities', ['id'], identities.rows);
}

/** Replaces ids of accounts by those of the target. An inviter without an account there is unknown. */
async function renameAccounts(
  target: Cell,
  columns: readonly string[],
  rows: string,
  accounts: readonly MatchedAccount[],
): Promise<string> {
  const ofTarget = (column: string) => `case
    when row->>'${column}' in (select source_id from matched)
      then (select target_id from matched where source_id = row->>'${column}')
    when '${column}' = 'invited_by_id' then null
    else row->>'${column}' end`;
  const pairs = columns.map((column) => `'${column}', ${ofTarget(column)}`).join(', ');
  const [renamed] = await select<{ rows: string }>(
    target,
    `with matched as (select * from unnest($2::text[], $3::text[]) as one (source_id, target_id))
     select coalesce(json_agg(row || jsonb_build_object(${pairs})), '[]')::text as rows
     from jsonb_array_elements($1::jsonb) as row`,
    [rows, accounts.map(({ sourceId }) => sourceId), accounts.map(({ targetId }) => targetId)],
  );
  return renamed?.rows ?? '[]';
}

async function copyExpiryNotices(source: Cell, target: Cell, organizationId: string): Promise<void> {
  const { rows } = await readJson(
    source,
    `select expiry_notices.* from expiry_notices join api_keys on api_keys.id = api_key_id where organization_id = $1`,
    [organizationId],
  );
  await upsert(target, 'expiry_notices', ['api_key_id'], rows);
}

/** In the same order. Deliveries that the source is making are made again. */
async function copyWaitingDeliveries(source: Cell, target: Cell, organizationId: string): Promise<void> {
  const waiting = `select * from webhook_deliveries where organization_id = $1 and status = 'waiting'`;
  const deliveries = await readJson(source, waiting, [organizationId]);
  const events = await readJson(
    source,
    `select * from events where organization_id = $1 and (position is null or id in (
       select event_id from webhook_deliveries where organization_id = $1 and status = 'waiting'
     ))`,
    [organizationId],
  );
  await change(target, 'select pg_advisory_xact_lock($1)', [dispatchLock]);
  await change(
    target,
    `insert into events (id, organization_id, type, occurred_at, data, position)
     select id, organization_id, type, occurred_at, data, case when position is not null
       then (select coalesce(max(position), 0) from events) + row_number() over (order by position) end
     from json_populate_recordset(null::events, $1::json)
     on conflict (id) do nothing`,
    [events.rows],
  );
  await upsert(target, 'webhook_deliveries', ['id'], deliveries.rows);
  await change(
    target,
    `update webhook_deliveries set position = events.position from events
     where events.id = event_id and webhook_deliveries.organization_id = $1 and webhook_deliveries.position is not null`,
    [organizationId],
  );
  await change(
    target,
    `update webhooks set run_id = null, woken = false, due_at = case when exists (
       select from webhook_deliveries where webhook_id = webhooks.id and status = 'waiting'
     ) then clock_timestamp() end
     where organization_id = $1`,
    [organizationId],
  );
}
