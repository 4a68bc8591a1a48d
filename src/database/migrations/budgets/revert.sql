drop function renew_holds, settle_amounts, reserve_amounts, output_that_fits, count_arrivals, note_thresholds,
  bucket_refund, limit_estimated, limit_charged, budget_charged, limit_held, live_hold, hold_generation, requests_level,
  bucket_level, is_in_period, period_end, period_start, first_time, is_budget, limits_digest,
  limit_definitions;
drop table limit_notices;
alter table limit_counters
  drop charged, drop held, drop held_before, drop held_generation, drop noticed, drop noticed_at;
alter table organizations drop time_zone;
comment on column audit_events.actor_kind is
  'user or service-account. user also stands for unknown accounts and for the operator';
