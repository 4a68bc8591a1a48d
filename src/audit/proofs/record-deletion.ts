import type { ClientBase } from 'pg';
import type { AuditKey } from './audit-key.js';
import { sealDeletion } from './seals.js';

/** A millisecond later than the cutoff of `delete_old_audit_events`, which is more precise. */
const readCutoff = `
  select date_trunc('milliseconds', now() - make_interval(days => greatest($1::integer, 30))) + interval '1 millisecond'
    as cutoff`;

const keepLatest = `
  insert into audit_state (deleted_before, deleted_before_seal) values ($1, $2)
  on conflict (id) do update set deleted_before = excluded.deleted_before, deleted_before_seal = excluded.deleted_before_seal
  where audit_state.deleted_before is null or audit_state.deleted_before < excluded.deleted_before`;

/**
 * Records which events `delete_old_audit_events` may delete, so that missing ones aren't mistaken for removed ones.
 *
 * @param client in the transaction that deletes
 */
export async function recordDeletion(
  client: ClientBase,
  retentionDays: number,
  key: AuditKey | undefined,
): Promise<void> {
  const { rows } = await client.query<{ cutoff: Date }>(readCutoff, [retentionDays]);
  const [row] = rows;
  if (row === undefined) return;
  await client.query(keepLatest, [row.cutoff, key === undefined ? null : sealDeletion(key, row.cutoff)]);
}
