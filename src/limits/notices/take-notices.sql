-- Takes a batch of thresholds that limits have reached, with the names of what the limits belong to. Those of deleted
-- organizations are dropped, and those of organizations that are moving to another database stay.
--
-- In: nothing.
-- Out: a row for each threshold, the oldest first.
--   organizationId    uuid
--   organizationName  text
--   ownerId           uuid         of the key or organization
--   keyName, hint     text         of the key; null for an organization, and for a key that was deleted long ago
--   metric, per       text         of the limit
--   models            jsonb        of the limit; null: all
--   percent           smallint
--   charged, max      text         at that time; in billionths of the currency for costs
--   periodStart       timestamptz
-- Locks: the rows it deletes. Skips those that another replica takes.
-- Example:
--   returns 0199…, Research, 0199…, Search indexer, kc_4fT9q, cost, month, null, 80, 20000000000, 25000000000, 2026-11-01 00:00:00+00

with taken as (
  delete from limit_notices where id = any (array(
    select id from limit_notices
    where organization_id <> all ((select closed_organizations from database_identity)::uuid[])
    order by noticed_at, id limit {{batch_size}} for update skip locked
  ))
  returning *
)
select taken.organization_id as "organizationId", organizations.name as "organizationName", owner_id as "ownerId",
  coalesce(api_keys.name, deleted_api_keys.name) as "keyName", coalesce(api_keys.hint, deleted_api_keys.hint) as hint,
  metric, per, taken.models, percent, charged::text, max::text, period_start as "periodStart"
from taken
join organizations on organizations.id = taken.organization_id and organizations.deleted_at is null
left join api_keys on api_keys.id = owner_id
left join deleted_api_keys on deleted_api_keys.id = owner_id
order by noticed_at, taken.id
