import type { Limit } from '../../src/limits/limit.js';
import type { TestApp } from '../setup/test-app.js';

/** A key or an organization. */
export type LimitOwner = { readonly keyId: string } | { readonly organizationId: string };

/**
 * Limits a key or an organization, with nothing used.
 *
 * @param limits as stored: costs in billionths, models sorted
 */
export async function setLimits({ query }: TestApp, owner: LimitOwner, limits: readonly Limit[]): Promise<void> {
  const [id, table] = 'keyId' in owner ? [owner.keyId, 'api_keys'] : [owner.organizationId, 'organizations'];
  await query(`update ${table} set limits = $2 where id = $1`, [id, JSON.stringify(limits)]);
  if (table === 'organizations') {
    await query('update api_keys set organization_limited = true where organization_id = $1', [id]);
  }
  await query(
    `insert into limit_counters (owner_id, metric, per, organization_id)
     select $1, metric || coalesce(models::text, ''), coalesce(per, ''),
       case when $3 then $1 else (select organization_id from api_keys where id = $1) end
     from jsonb_to_recordset($2) as added (metric text, per text, models jsonb)
     on conflict (owner_id, metric, per) do update set level = 0, charged = 0, level_at = clock_timestamp(),
       held = 0, held_before = 0, estimated = 0, noticed = 0`,
    [id, JSON.stringify(limits), table === 'organizations'],
  );
}

/** What is used of each limit of a key or an organization, such as `requests/day`, and what is reserved. */
export async function readCounters({ query }: TestApp, ownerId: string): Promise<Record<string, [number, number]>> {
  const rows = await query<{ metric: string; per: string; level: number; reserved: number }>(
    `select metric, per, level, (held + held_before)::float8 as reserved from limit_counters
     where owner_id = $1 order by metric, per`,
    [ownerId],
  );
  return Object.fromEntries(rows.map(({ metric, per, level, reserved }) => [`${metric}/${per}`, [level, reserved]]));
}
