import { isUUID } from 'class-validator';
import type { DataSource } from 'typeorm';
import { foldText, foldTextSql } from '../common/validation/fold-text.js';
import { namesKey } from './audit-event.entity.js';
import { type AuditKeyState, type FoundAuditKeyDto, maxKeys } from './dto/audit-key.dto.js';

interface KeySearch {
  organizationId: string;
  /** Part of a name, or an id. */
  search: string;
  /** Whether to find keys whose creation is no longer in the log. */
  listsKeys: boolean;
  /** Finds only keys in this state. */
  state?: AuditKeyState | undefined;
}

/**
 * The same as `foldTextSql`, but faster for names in ASCII, which is most of them: events don't have folded names.
 */
const foldName = (column: string) => `case when octet_length(${column}) = char_length(${column})
  then lower(${column} collate "C") else ${foldTextSql(column)} collate "C" end`;

/** Of keys with equally good names, the newest come first: ids are in the order of creation. */
export const selectAuditKeys = `
  with named as (
    select target_id as id, target_name as name, ${foldName('target_name')} as folded
    from audit_events
    where organization_id = $1 and ${namesKey} and strpos(${foldName('target_name')}, $2) > 0
    union all
    (
      select target_id, target_name, ${foldName('target_name')} from audit_events
      where organization_id = $1 and target_kind = 'api-key' and target_id = $3
      order by occurred_at desc, audit_events.id desc limit 1
    )
    union all
    select id, name, folded_name from api_keys
    where organization_id = $1 and $4 and (strpos(folded_name, $2) > 0 or id = $3)
  ), found as (
    select id, min(folded collate "C") as folded, min(name collate "C") as name, bool_or(folded = $2) as is_exact
    from named
    where id is not null and (
      $5::text is null
      or $5 = case when exists (select from api_keys where organization_id = $1 and api_keys.id = named.id)
        then 'current' else 'deleted' end
    )
    group by id
    order by is_exact desc, folded, id desc limit ${maxKeys}
  )
  select found.id, coalesce(api_keys.name, latest.name, found.name) as name, found.name as "matchedName",
    coalesce(api_keys.hint, latest.hint) as hint, api_keys.id is null as "isDeleted"
  from found
  left join api_keys on api_keys.organization_id = $1 and api_keys.id = found.id
  left join lateral (
    select target_name as name, target_hint as hint from audit_events
    where organization_id = $1 and target_id = found.id and target_hint is not null
    order by occurred_at desc, audit_events.id desc limit 1
  ) as latest on true
  order by is_exact desc, folded, found.id desc`;

export function auditKeysParameters({ organizationId, search, listsKeys, state }: KeySearch): unknown[] {
  return [organizationId, foldText(search), isUUID(search) ? search : null, listsKeys, state];
}

interface KeyRow {
  id: string;
  name: string;
  /** A name that matches, which may be an earlier one. */
  matchedName: string;
  hint: string | null;
  isDeleted: boolean;
}

/**
 * Finds keys with events in the organization by a current or earlier name, including deleted ones. Names come from the
 * events, because those of deleted keys are kept only as long as usage.
 */
export async function readAuditKeys(dataSource: DataSource, search: KeySearch): Promise<FoundAuditKeyDto[]> {
  const rows = await dataSource.query<KeyRow[]>(selectAuditKeys, auditKeysParameters(search));
  const folded = foldText(search.search);
  return rows.map(({ id, name, matchedName, hint, isDeleted }) => {
    const isFormer = id !== search.search.toLowerCase() && !foldText(name).includes(folded);
    return { id, name, ...(isFormer && { formerName: matchedName }), ...(hint !== null && { hint }), isDeleted };
  });
}
