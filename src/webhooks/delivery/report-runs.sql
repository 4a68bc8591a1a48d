-- Records attempts of a replica, and keeps their webhooks for it, or ends its runs: then others may deliver as soon as
-- something is due.
--
-- In:
--   :leaseSeconds  integer  how long others leave a webhook to this replica from now on
--   :reports       jsonb    [{webhookId, runId, isLast, isSlow, deliveryId, attempt, status, delayMilliseconds}], at most one
--                           for each webhook: whether the run ends; whether the attempt failed or was slow; the delivery,
--                           null if nothing was attempted; what is added to its attempts; its status; and the time until
--                           its next attempt, null if none follows
-- Out: a row for each webhook that the replica still has. Nothing is recorded for others.
--   webhookId  uuid
--   enabled    boolean
-- Locks: the webhooks in the order of their ids, then the deliveries.
-- Example:
--   :leaseSeconds = 25
--   :reports = '[{"webhookId": "01990000-0000-7000-8000-000000000001", "runId": "01990000-0000-7000-8000-000000000002", "isLast": true, "isSlow": false, "deliveryId": "01990000-0000-7000-8000-000000000003", "attempt": {"status": 204}, "status": "succeeded", "delayMilliseconds": null}]'
--   returns 01990000-0000-7000-8000-000000000001, true

with report as materialized (
  select * from jsonb_to_recordset(:reports::jsonb) as report (
    "webhookId" uuid, "runId" uuid, "isLast" boolean, "isSlow" boolean, "deliveryId" uuid, attempt jsonb, status text,
    "delayMilliseconds" bigint
  )
), locked as materialized (
  select id from webhooks where id in (select "webhookId" from report) order by id for update
), held as (
  update webhooks set
    is_slow = coalesce(report."isSlow", is_slow),
    run_id = case when not report."isLast" then run_id end,
    woken = woken and not report."isLast",
    due_at = case
      when not report."isLast" then clock_timestamp() + :leaseSeconds::integer * interval '1 second'
      -- A concurrent statement has added deliveries that this one may not see.
      when woken then clock_timestamp()
      else (
        select case
          when id = report."deliveryId" then clock_timestamp() + report."delayMilliseconds" * interval '1 millisecond'
          else coalesce(next_attempt_at, clock_timestamp())
        end
        from webhook_deliveries
        where webhook_id = webhooks.id and status = 'waiting' and (kind <> 'event' or webhooks.enabled)
          and (id is distinct from report."deliveryId" or report.status = 'waiting')
        order by position nulls first limit 1
      )
    end
  from report join locked on locked.id = report."webhookId"
  where webhooks.id = locked.id and run_id = report."runId"
  returning webhooks.id, enabled
), recorded as (
  update webhook_deliveries set attempts = attempts || report.attempt, status = report.status,
    next_attempt_at = clock_timestamp() + report."delayMilliseconds" * interval '1 millisecond'
  from report join held on held.id = report."webhookId"
  where webhook_deliveries.id = report."deliveryId" and webhook_id = held.id and webhook_deliveries.status = 'waiting'
)
select id as "webhookId", enabled from held
