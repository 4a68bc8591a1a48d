/** A table in an export: SQL that selects the organization's rows, and SQL for columns that the export leaves out. */
interface ExportedTable {
  rows: string;
  replaced?: Record<string, string>;
}

const own: ExportedTable = { rows: 'organization_id = $id' };
const ofTree: ExportedTable = { rows: 'tree_id = $id' };
const ofSeries: ExportedTable = { rows: 'series_id in (select id from usage_series where organization_id = $id)' };

const members = `select user_id from memberships where organization_id = $id`;
/** Rows of the organization refer to them. */
const mentioned = `
  ${members} union select user_id from provisioned_memberships where organization_id = $id
  union select created_by_id from api_keys where organization_id = $id
  union select invited_by_id from invitations where organization_id = $id`;

/** What an export contains of each table; undefined for tables that belong to the installation. */
export const exportedTables: Readonly<Record<string, ExportedTable | undefined>> = {
  api_keys: own,
  audit_checkpoints: ofTree,
  audit_events: own,
  audit_leaves: ofTree,
  audit_nodes: ofTree,
  audit_pending: { rows: 'event_id in (select id from audit_events where organization_id = $id)' },
  audit_sinks: undefined,
  audit_state: { rows: 'true' },
  audit_trees: { rows: 'id = $id' },
  deleted_api_keys: own,
  events: own,
  expiry_notices: { rows: 'api_key_id in (select id from api_keys where organization_id = $id)' },
  failed_requests: own,
  failure_counts: own,
  former_members: own,
  idempotency_keys: own,
  invitations: own,
  known_devices: undefined,
  leak_reports: own,
  limit_checks: own,
  limit_counters: own,
  limit_notices: own,
  logout_tokens: undefined,
  mail_messages: undefined,
  mail_progress: undefined,
  memberships: own,
  moved_api_keys: undefined,
  organization_moves: undefined,
  organizations: { rows: 'id = $id' },
  provider_logouts: undefined,
  provisioned_memberships: own,
  request_chunks: own,
  roles: own,
  service_accounts: own,
  usage: own,
  usage_by_day: ofSeries,
  usage_by_hour: ofSeries,
  usage_by_month: ofSeries,
  usage_cohort_changes: undefined,
  // The retention task adds series without cohorts to them.
  usage_cohorts: undefined,
  usage_series: { ...own, replaced: { creator_cohort_id: 'null', tags_cohort_id: 'null' } },
  user_identities: { rows: `user_id in (${members})` },
  users: { rows: `id in (${mentioned})`, replaced: { password_hash: 'null' } },
  webhook_deliveries: own,
  // Signing secrets can't be hashed. Rotating the secret of a restored webhook makes a new one.
  webhooks: {
    rows: 'organization_id = $id',
    replaced: { secret: `''::bytea`, previous_secret: 'null', enabled: 'false', due_at: 'null', run_id: 'null' },
  },
};
