-- Adds the series that the next batch of move-usage.sql needs: one per key and model, and one per model for all keys.
--
-- In: nothing.
-- Out: nothing.
-- Locks: only the inserted rows. The lock of the retention task makes ids unique.
-- Example:
--   returns nothing; usage of a key and a model adds a series for both, and one for all keys and the model

insert into usage_series (id, organization_id, api_key_id, model)
select (select coalesce(max(id), 0) from usage_series) + row_number() over (), organization_id, owner_id, model
from (
  select distinct organization_id, owner_id, model
  from (
    select organization_id, api_key_id, model from usage where hour < {{open_hours}}
      and organization_id not in (select organization_id from organization_moves where direction = 'out')
    order by organization_id, hour limit {{batch_size}}
  ) as closed cross join lateral (values (api_key_id), ({{all_keys}})) as owner (owner_id)
) as needed
where not exists (select from usage_series where (organization_id, api_key_id, model)
  = (needed.organization_id, needed.owner_id, needed.model))
