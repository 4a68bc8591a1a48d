-- Finds the webhooks of an organization whose deliveries fail, or failed until they were disabled.
--
-- Webhooks are returned with a failed attempt under the same condition; see `findFailedAttempts`.
--
-- In:
--   :organizationId  uuid     of the webhooks
-- Out: up to five rows, none if all work.
--   count            integer  such webhooks
--   id               uuid     of the webhook
--   url              text     of the webhook
--   isDisabled       boolean  whether it was disabled
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns 1, 0199…, https://hooks.example.com/keycard, false

select (count(*) over ())::integer as count, id, url, not enabled as "isDisabled"
from webhooks
where organization_id = :organizationId
  and (
    disabled_reason is not null
    or enabled and exists (
      select from webhook_deliveries as delivery
      where delivery.webhook_id = webhooks.id and delivery.status = 'waiting' and delivery.attempts <> '[]'
    )
  )
order by not enabled desc, created_at desc, id
limit {{max_named}}
