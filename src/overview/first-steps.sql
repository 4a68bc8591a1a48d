-- Reads which steps of the checklist an organization has done.
--
-- In:
--   :organizationId  uuid     of the organization
-- Out: one row, or none if the organization was deleted.
--   hasKey           boolean  whether it has or had an API key
--   hasRequest       boolean  whether usage was recorded
--   hasLimit         boolean  whether it or one of its keys has or had limits
--   hasInvitation    boolean  whether it invited someone or has several members
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns true, true, false, false

select
  exists (select from api_keys where organization_id = :organizationId)
    or exists (select from deleted_api_keys where organization_id = :organizationId) as "hasKey",
  exists (select from usage where organization_id = :organizationId)
    or exists (select from usage_series where organization_id = :organizationId) as "hasRequest",
  exists (select from limit_counters where organization_id = :organizationId) as "hasLimit",
  exists (select from invitations where organization_id = :organizationId)
    or (select count(*) > 1 from memberships where organization_id = :organizationId) as "hasInvitation"
from organizations where id = :organizationId and deleted_at is null
