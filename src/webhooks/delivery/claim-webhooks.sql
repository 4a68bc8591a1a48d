-- Claims webhooks that are due, with what waits for them, for one replica. Organizations take turns, so that one with many
-- webhooks doesn't delay the others.
--
-- In:
--   :maxQuick      integer  webhooks to claim that responded quickly the last time
--   :maxSlow       integer  webhooks to claim that failed or were slow
--   :leaseSeconds  integer  how long other replicas leave them to this one
--   :batchSize     integer  deliveries of each
-- Out: a row for each webhook.
--   claimed  json  {id, organizationId, runId, url, secrets, deliveries}: secrets in base64, the current one first;
--                  deliveries in order, each {id, eventId, kind, attempt, isDue, type, occurredAt, data}
-- Locks: the webhooks that it claims. Skips those that others lock.
-- Example:
--   :maxQuick = 64
--   :maxSlow = 192
--   :leaseSeconds = 25
--   :batchSize = 20
--   returns {"id": "0199…", "organizationId": "0199…", "runId": "…", "url": "https://…", "secrets": ["…"], "deliveries": […]}

with due as materialized (
  (select id, organization_id, is_slow, due_at from webhooks where due_at <= now() and not is_slow
    and organization_id <> all ((select closed_organizations from database_identity)::uuid[]) order by due_at limit 5000)
  union all
  (select id, organization_id, is_slow, due_at from webhooks where due_at <= now() and is_slow
    and organization_id <> all ((select closed_organizations from database_identity)::uuid[]) order by due_at limit 5000)
), ranked as (
  select id, is_slow, due_at, row_number() over (partition by organization_id, is_slow order by due_at) as turn from due
), chosen as materialized (
  (select id from ranked where not is_slow order by turn, due_at limit :maxQuick::integer)
  union all
  (select id from ranked where is_slow order by turn, due_at limit :maxSlow::integer)
), locked as materialized (
  select id from webhooks where id in (select id from chosen) and due_at <= now() for update skip locked
), claimed as (
  update webhooks set run_id = gen_random_uuid(), woken = false,
    due_at = clock_timestamp() + :leaseSeconds::integer * interval '1 second'
  from locked where webhooks.id = locked.id
  returning webhooks.*
)
select json_build_object(
  'id', claimed.id,
  'organizationId', claimed.organization_id,
  'runId', claimed.run_id,
  'url', claimed.url,
  'secrets', array_remove(array[
    encode(claimed.secret, 'base64'),
    case when claimed.previous_secret_expires_at > now() then encode(claimed.previous_secret, 'base64') end
  ], null),
  'deliveries', coalesce(waiting.deliveries, '[]')
) as claimed
from claimed
cross join lateral (
  select json_agg(json_build_object(
    'id', delivery.id,
    'eventId', delivery.event_id,
    'kind', delivery.kind,
    'attempt', jsonb_array_length(delivery.attempts) + 1,
    'isDue', delivery.next_attempt_at <= clock_timestamp(),
    'type', events.type,
    'occurredAt', events.occurred_at,
    'data', events.data
  ) order by delivery.position nulls first, delivery.created_at) as deliveries
  from (
    select * from webhook_deliveries
    where webhook_id = claimed.id and status = 'waiting' and (kind <> 'event' or claimed.enabled)
    order by position nulls first, created_at limit :batchSize::integer
  ) as delivery
  join events on events.id = delivery.event_id
) as waiting
