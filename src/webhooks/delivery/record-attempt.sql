-- Records an attempt, and keeps the webhook for the replica that made it.
--
-- In:
--   :webhookId          uuid
--   :runId              uuid     of the replica that claimed the webhook
--   :leaseSeconds       integer  how long others leave it to this replica from now on
--   :isSlow             boolean  whether the attempt failed or was slow
--   :deliveryId         uuid
--   :attempt            jsonb    what is added to the attempts of the delivery
--   :status             text     of the delivery
--   :delayMilliseconds  bigint   until the next attempt; null: none follows
-- Out: a row if the replica still has the webhook, otherwise nothing is recorded.
--   enabled  boolean  whether the webhook is enabled
-- Locks: the webhook, then the delivery.
-- Example:
--   :webhookId = '01990000-0000-7000-8000-000000000001'
--   :runId = '01990000-0000-7000-8000-000000000002'
--   :leaseSeconds = 25
--   :isSlow = false
--   :deliveryId = '01990000-0000-7000-8000-000000000003'
--   :attempt = '{"at": "2026-11-28T12:00:00.000Z", "durationMs": 87, "status": 204, "error": null, "response": ""}'
--   :status = 'succeeded'
--   :delayMilliseconds = null
--   returns true

with held as (
  update webhooks set is_slow = :isSlow::boolean,
    due_at = clock_timestamp() + :leaseSeconds::integer * interval '1 second'
  where id = :webhookId::uuid and run_id = :runId::uuid
  returning id, enabled
), recorded as (
  update webhook_deliveries set attempts = attempts || :attempt::jsonb, status = :status::text,
    next_attempt_at = clock_timestamp() + :delayMilliseconds::bigint * interval '1 millisecond'
  from held
  where webhook_deliveries.id = :deliveryId::uuid and webhook_id = held.id and status = 'waiting'
)
select enabled from held
