-- Finds out whether requests were counted in all budgets that their keys and organizations have now, whose periods are
-- still the same. Nearly always they were; then settled-budgets.sql settles them faster than the function settle_amounts.
--
-- In:
--   :ownerIds     uuid[]    the keys and organizations of the requests
--   :budgetCount  integer   number of their budgets in tokens, pages and cost, when the requests were counted
--   Arrays with an element for each period of an organization that the requests belong to:
--   :periodOrganizationIds  uuid[]
--   :periods      text[]
--   :periodEnds   double precision[]  in milliseconds since 1970
-- Out:
--   known_budgets           relation  a row with are_all, boolean
-- Locks: none.
-- Example:
--   :ownerIds = '{01990000-0000-7000-8000-000000000001,01990000-0000-7000-8000-000000000000}'
--   :budgetCount = 1
--   :periodOrganizationIds = '{01990000-0000-7000-8000-000000000000}'
--   :periods = '{month}'
--   :periodEnds = '{1796083200000}'
--   with {{include …}} select are_all from known_budgets

-- Counters of removed limits are left out when their longest period is over.
known_budgets as materialized (
  select
    :budgetCount >= (
      select count(*) from limit_counters
      where owner_id = any (:ownerIds::uuid[]) and per in ('day', 'week', 'month') and metric not like 'requests%' and metric not like 'concurrency%'
        and level_at > now() - interval '32 days'
    )
    -- The organization may have got another time zone.
    and not exists (
      select from unnest(:periodOrganizationIds::uuid[], :periods::text[], :periodEnds::double precision[])
        as period (organization_id, per, ends_at)
      join organizations on organizations.id = period.organization_id
      where period_end(per, to_timestamp(ends_at / 1000) - interval '1 millisecond', time_zone) <> ends_at
    ) as are_all
)
