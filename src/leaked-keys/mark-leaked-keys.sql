-- Notes on keys that they leaked, and revokes their secrets. All arrays have an element for each key.
--
-- In:
--   :ids              uuid[]     of the keys, each once
--   :disables         boolean[]  whether to disable the key
--   :revokesPrevious  boolean[]  whether to revoke the secret from before the last rotation
--   :secrets          text[]     the secret that leaked: current or previous
--   :urls             text[]     where it was found; null: unknown
--   :sources          text[]     kind of place
-- Out: nothing.
-- Locks: the keys.
-- Example:
--   :ids = '{01990000-0000-7000-8000-000000000002}'
--   :disables = '{true}'
--   :revokesPrevious = '{false}'
--   :secrets = '{current}'
--   :urls = '{https://github.com/example/repository/blob/main/.env}'
--   :sources = '{commit}'
--   returns nothing

update api_keys set
  enabled = enabled and not disables,
  previous_secret_hash = case when not revokes_previous then previous_secret_hash end,
  previous_secret_expires_at = case when not revokes_previous then previous_secret_expires_at end,
  previous_secret_hint = case when not revokes_previous then previous_secret_hint end,
  previous_secret_last_used_at = case when not revokes_previous then previous_secret_last_used_at end,
  updated_at = case when disables or revokes_previous then clock_timestamp() else updated_at end,
  -- The first report stays, but the current secret matters more than the previous one.
  leaked_at = case when is_noted then leaked_at else clock_timestamp() end,
  leaked_url = case when is_noted then leaked_url else url end,
  leaked_source = case when is_noted then leaked_source else source end,
  leaked_secret = case when is_noted then leaked_secret else secret end
from (
  select leak.*, leaked_at is not null and (leaked_secret = 'current' or secret = 'previous') as is_noted
  from unnest(:ids::uuid[], :disables::boolean[], :revokesPrevious::boolean[], :secrets::text[], :urls::text[], :sources::text[])
    as leak (id, disables, revokes_previous, secret, url, source)
  join api_keys on api_keys.id = leak.id
) as leak
where api_keys.id = leak.id
