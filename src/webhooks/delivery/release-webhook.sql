-- Ends the run of a replica: others may deliver as soon as something is due.
--
-- In:
--   :webhookId  uuid
--   :runId      uuid  of the replica that claimed the webhook
-- Out: nothing.
-- Locks: the webhook.
-- Example:
--   :webhookId = '01990000-0000-7000-8000-000000000001'
--   :runId = '01990000-0000-7000-8000-000000000002'

update webhooks set run_id = null, woken = false,
  -- A concurrent statement may have added deliveries that this one doesn't see; then it has set `woken`.
  due_at = case when woken then clock_timestamp() else (
    select coalesce(next_attempt_at, clock_timestamp()) from webhook_deliveries
    where webhook_id = webhooks.id and status = 'waiting' and (kind <> 'event' or webhooks.enabled)
    order by position nulls first limit 1
  ) end
where id = :webhookId::uuid and run_id = :runId::uuid
