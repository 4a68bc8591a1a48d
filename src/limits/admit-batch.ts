/**
 * Common table expressions that decide about a batch of requests. They need one named `asked`, with a row for each key
 * that has limits or whose organization has:
 * - id, organization_id, limits, organization_limits: of the key
 * - requests, tokens, pages: the sums of what its requests ask for
 * - asks: JSON text, an array of [position in the batch, tokens, pages]
 *
 * The result is in `decided`: no row if `asked` is empty, otherwise one with the JSON that `Decisions` describes.
 *
 * Nearly always everything fits, so `charged` first adds all of it to the counters. It updates them in the order of their
 * primary key, because all joins are nested loops (`admissionSettings`): concurrent batches can't deadlock. The subquery
 * is evaluated after waiting for a locked row, so the time and the counter's columns are current. If something doesn't
 * fit, `admit_one_by_one` takes the charges back and, still holding the locks, decides in order of arrival.
 *
 * @param expectsFit an SQL condition; if it's false, requests are decided one by one from the start
 */
export const decideAbout = (expectsFit: string) => `
  limit_ask as (
    select owner_id, def.metric, def.per, def.max,
      sum(case def.metric when 'requests' then requests when 'tokens' then tokens else pages end)::bigint as amount
    from (
      select id as owner_id, limits, requests, tokens, pages from asked where limits is not null
      union all
      select organization_id, organization_limits, requests, tokens, pages from asked where organization_limits is not null
    ) as owner
    cross join lateral jsonb_to_recordset(owner.limits) as def (metric text, per text, max bigint)
    where ${expectsFit}
    group by 1, 2, 3, 4
    order by 1, 2, 3
  ), charged as (
    update limit_counters as counter
    set (level, level_at, reserved, reserved_before, generation) = (
      select
        limit_level(counter.per, ask.max, counter.level, counter.level_at, at)
          + case counter.metric when 'requests' then ask.amount else 0 end,
        at,
        case when counter.generation >= now then counter.reserved else 0 end
          + case counter.metric when 'requests' then 0 else ask.amount end,
        case when counter.generation >= now then counter.reserved_before
          when counter.generation = now - 1 then counter.reserved else 0 end,
        now
      from (select at, limit_generation(at) as now from (select clock_timestamp() as at offset 0) as time offset 0) as time
    )
    from limit_ask as ask
    where counter.owner_id = ask.owner_id and counter.metric = ask.metric and counter.per = ask.per
    returning counter.owner_id, counter.metric, counter.per, ask.max, ask.amount, counter.generation,
      counter.level + counter.reserved + counter.reserved_before as used
  ), outcome as materialized (
    select bool_and(amount = 0 or used <= max + 0.000001) as all_fit,
      json_build_object(
        'generation', max(generation),
        'limits', json_agg(json_build_array(owner_id, metric, per, max, used))
      ) as decisions,
      array_agg(owner_id) as owner_ids, array_agg(metric) as metrics, array_agg(per) as periods,
      array_agg(amount) as amounts
    from charged
  ), decided as (
    select case when all_fit then decisions else admit_one_by_one(
      owner_ids, metrics, periods, amounts,
      (
        select array_agg(
          row (
            (ask->>0)::integer, id, organization_id, 1, (ask->>1)::bigint, (ask->>2)::bigint, false, null, 0, 0
          )::admission_ask
          order by (ask->>0)::integer
        )
        from asked cross join lateral json_array_elements(asks::json) as ask
      )
    ) end as decisions
    from outcome where exists (select from asked)
  )`;
