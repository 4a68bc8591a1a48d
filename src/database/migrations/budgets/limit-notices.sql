-- Notes the thresholds that limits have reached.

-- Writes a notice for each percentage of `notifyAt` that a budget has reached for the first time in its period. The caller
-- has locked the counters, so no other one notes the same.
create function note_thresholds(owner_ids uuid[], counter_metrics text[], counter_periods text[]) returns void language plpgsql as $$
declare
  noted_at timestamptz := clock_timestamp();
begin
  with reached as materialized (
    select state.*, percent::smallint as percent
    from (
      select counter.owner_id, counter.organization_id, counter.metric as counter_metric, counter.per, def.metric, def.models,
        def.max, def.notify_at, period_start(counter.per, noted_at, def.time_zone) as period_start,
        budget_charged(counter, def.metric, noted_at, def.time_zone) as charged, counter.noticed, counter.noticed_at
      from unnest(owner_ids, counter_metrics, counter_periods) as changed (owner_id, counter_metric, per)
      join limit_definitions(owner_ids, owner_ids) as def using (owner_id, counter_metric, per)
      join limit_counters as counter
        on counter.owner_id = changed.owner_id and counter.metric = changed.counter_metric and counter.per = changed.per
      where def.notify_at is not null and is_budget(def.per)
    ) as state
    cross join lateral jsonb_array_elements_text(state.notify_at) as threshold (percent)
    where charged::numeric * 100 >= percent::numeric * max
      and percent::smallint > case when noticed_at >= period_start then noticed else 0 end
  ), marked as (
    update limit_counters set noticed = highest.percent, noticed_at = noted_at
    from (
      select owner_id, counter_metric, per, max(percent) as percent from reached group by 1, 2, 3
    ) as highest
    where limit_counters.owner_id = highest.owner_id and limit_counters.metric = highest.counter_metric
      and limit_counters.per = highest.per
  )
  insert into limit_notices (organization_id, owner_id, metric, per, models, percent, charged, max, period_start)
  select organization_id, owner_id, metric, per, models, percent, charged, max, period_start
  from reached order by owner_id, counter_metric, per, percent;
end
$$;
