-- A database of commit e0670598, which the first schema adopts: written by pg_dump (--inserts, --no-owner) after the service
-- of that commit had used it, without pg_dump's comments, and with rights of the current role instead of the dumped one.
-- Don't change it.

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE TYPE public.admission_ask AS (
	"position" integer,
	key_id uuid,
	organization_id uuid,
	requests integer,
	tokens bigint,
	pages bigint,
	exact boolean,
	generation bigint,
	held_tokens bigint,
	held_pages bigint
);

CREATE TYPE public.arrival_ask AS (
	"position" integer,
	key_id uuid,
	organization_id uuid,
	tokens boolean,
	pages boolean
);

CREATE TYPE public.usage_ask AS (
	"position" integer,
	key_id uuid,
	organization_id uuid,
	tokens bigint,
	pages bigint,
	estimated_tokens bigint,
	estimated_pages bigint,
	waiting_since bigint,
	is_last_attempt boolean
);

CREATE FUNCTION public.admit_one_by_one(owner_ids uuid[], metrics text[], periods text[], amounts bigint[], asks public.admission_ask[]) RETURNS json
    LANGUAGE plpgsql
    AS $$
   BEGIN
     UPDATE limit_counters AS counter
     SET level = counter.level - CASE charged.metric WHEN 'requests' THEN charged.amount ELSE 0 END,
       reserved = counter.reserved - CASE charged.metric WHEN 'requests' THEN 0 ELSE charged.amount END
     FROM unnest(owner_ids, metrics, periods, amounts) AS charged (owner_id, metric, per, amount)
     WHERE counter.owner_id = charged.owner_id AND counter.metric = charged.metric AND counter.per = charged.per;
     RETURN admit_requests(asks);
   END
   $$;

CREATE FUNCTION public.admit_requests(asks public.admission_ask[]) RETURNS json
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'on'
    AS $$
   DECLARE
     -- Rounding errors must not reject a client that waited exactly as told.
     tolerance CONSTANT double precision := 0.000001;
     key_ids uuid[];
     organization_ids uuid[];
     checked_at timestamptz;
     this_generation bigint;
     owners uuid[];
     metrics text[];
     periods text[];
     maxima bigint[];
     levels double precision[];
     levels_at timestamptz[];
     reserved_now bigint[];
     reserved_then bigint[];
     generations bigint[];
     free double precision[];
     changed boolean[];
     admitted json[] := '{}';
     ask record;
     wanted bigint[];
     held bigint[];
     kind integer;
     fits boolean;
     available double precision;
   BEGIN
     SELECT array_agg(DISTINCT key_id), array_agg(DISTINCT organization_id) INTO key_ids, organization_ids
     FROM unnest(asks);
     SELECT array_agg(owner_id), array_agg(metric), array_agg(per), array_agg(max)
     INTO owners, metrics, periods, maxima
     FROM limits_of(key_ids, organization_ids);
     -- Not in one statement: after waiting for a lock, PostgreSQL repeats joins with single rows and may lose some.
     SELECT array_agg(locked.owner_id), array_agg(locked.metric), array_agg(locked.per), array_agg(locked.max),
       array_agg(locked.level), array_agg(locked.level_at), array_agg(locked.reserved),
       array_agg(locked.reserved_before), array_agg(locked.generation), array_agg(false)
     INTO owners, metrics, periods, maxima, levels, levels_at, reserved_now, reserved_then, generations, changed
     FROM (
       SELECT counter.*, def.max
       FROM unnest(owners, metrics, periods, maxima) AS def (owner_id, metric, per, max)
       JOIN limit_counters AS counter USING (owner_id, metric, per)
       ORDER BY counter.owner_id, counter.metric, counter.per
       FOR UPDATE OF counter
     ) AS locked;

     -- Read after waiting for locks.
     checked_at := clock_timestamp();
     this_generation := limit_generation(checked_at);
     FOR i IN 1 .. coalesce(cardinality(owners), 0) LOOP
       levels[i] := limit_level(periods[i], maxima[i], levels[i], levels_at[i], checked_at);
       IF generations[i] < this_generation THEN
         reserved_then[i] := CASE WHEN generations[i] = this_generation - 1 THEN reserved_now[i] ELSE 0 END;
         reserved_now[i] := 0;
       END IF;
       free[i] := maxima[i] - levels[i] - reserved_now[i] - reserved_then[i];
     END LOOP;

     FOR ask IN
       WITH counters AS (
         SELECT owner, array_agg(i) AS indexes FROM unnest(owners) WITH ORDINALITY AS one (owner, i) GROUP BY owner
       )
       SELECT each.*, coalesce(of_key.indexes, '{}') || coalesce(of_organization.indexes, '{}') AS indexes
       FROM unnest(asks) AS each
       LEFT JOIN counters AS of_key ON of_key.owner = each.key_id
       LEFT JOIN counters AS of_organization ON of_organization.owner = each.organization_id
       ORDER BY each."position"
     LOOP
       wanted := ARRAY[ask.tokens, ask.pages];
       held := CASE WHEN ask.generation >= this_generation - 1 THEN ARRAY[ask.held_tokens, ask.held_pages]
         ELSE '{0,0}' END;
       fits := true;
       FOR n IN 1 .. cardinality(ask.indexes) LOOP
         IF metrics[ask.indexes[n]] = 'requests' THEN
           fits := free[ask.indexes[n]] >= ask.requests - tolerance;
         ELSE
           kind := CASE metrics[ask.indexes[n]] WHEN 'tokens' THEN 1 ELSE 2 END;
           available := free[ask.indexes[n]] + held[kind];
           IF wanted[kind] > held[kind] THEN
             fits := available >= CASE WHEN ask.exact THEN wanted[kind] ELSE 1 END - tolerance;
             wanted[kind] := least(wanted[kind], floor(available + tolerance));
           END IF;
         END IF;
         EXIT WHEN NOT fits;
       END LOOP;
       CONTINUE WHEN NOT fits;

       FOR n IN 1 .. cardinality(ask.indexes) LOOP
         changed[ask.indexes[n]] := true;
         IF metrics[ask.indexes[n]] = 'requests' THEN
           levels[ask.indexes[n]] := levels[ask.indexes[n]] + ask.requests;
           free[ask.indexes[n]] := free[ask.indexes[n]] - ask.requests;
         ELSE
           kind := CASE metrics[ask.indexes[n]] WHEN 'tokens' THEN 1 ELSE 2 END;
           IF ask.generation = this_generation - 1 THEN
             reserved_then[ask.indexes[n]] := greatest(0, reserved_then[ask.indexes[n]] - held[kind]);
             reserved_now[ask.indexes[n]] := reserved_now[ask.indexes[n]] + wanted[kind];
           ELSE
             reserved_now[ask.indexes[n]] := greatest(0, reserved_now[ask.indexes[n]] - held[kind]) + wanted[kind];
           END IF;
           free[ask.indexes[n]] := free[ask.indexes[n]] + held[kind] - wanted[kind];
         END IF;
       END LOOP;
       admitted := admitted || json_build_array(ask."position", wanted[1], wanted[2]);
     END LOOP;

     UPDATE limit_counters AS counter
     SET level = new.level, level_at = checked_at, reserved = new.reserved_now,
       reserved_before = new.reserved_then, generation = this_generation
     FROM unnest(owners, metrics, periods, levels, reserved_now, reserved_then, changed)
       AS new (owner_id, metric, per, level, reserved_now, reserved_then, changed)
     WHERE new.changed AND counter.owner_id = new.owner_id AND counter.metric = new.metric AND counter.per = new.per;

     RETURN json_build_object(
       'generation', this_generation,
       'admitted', to_json(admitted),
       'limits', (
         SELECT coalesce(json_agg(json_build_array(state.owner_id, state.metric, state.per, state.max, state.max - state.free)), '[]')
         FROM unnest(owners, metrics, periods, maxima, free) AS state (owner_id, metric, per, max, free)
       )
     );
   END
   $$;

CREATE FUNCTION public.count_one_by_one(owner_ids uuid[], counted_periods text[], amounts bigint[], asks public.arrival_ask[]) RETURNS json
    LANGUAGE plpgsql
    AS $$
   DECLARE
     -- Rounding errors must not reject a client that waited exactly as told.
     tolerance CONSTANT double precision := 0.000001;
     counted_at timestamptz;
     owners uuid[];
     metrics text[];
     periods text[];
     maxima bigint[];
     levels double precision[];
     reserved bigint[];
     counts integer[];
     admitted integer[] := '{}';
     ask record;
     fits boolean;
   BEGIN
     UPDATE limit_counters AS counter SET level = counter.level - counted.amount
     FROM unnest(owner_ids, counted_periods, amounts) AS counted (owner_id, per, amount)
     WHERE counter.owner_id = counted.owner_id AND counter.metric = 'requests' AND counter.per = counted.per;

     SELECT array_agg(owner_id), array_agg(metric), array_agg(per), array_agg(max)
     INTO owners, metrics, periods, maxima
     FROM limits_of(
       (SELECT array_agg(DISTINCT key_id) FROM unnest(asks)), (SELECT array_agg(DISTINCT organization_id) FROM unnest(asks))
     );
     -- Not in one statement: after waiting for a lock, PostgreSQL repeats joins with single rows and may lose some.
     PERFORM FROM unnest(owners, metrics, periods) AS def (owner_id, metric, per)
       JOIN limit_counters AS counter USING (owner_id, metric, per)
       WHERE counter.metric = 'requests'
       ORDER BY counter.owner_id, counter.metric, counter.per
       FOR UPDATE OF counter;
     counted_at := clock_timestamp();
     SELECT array_agg(counter.owner_id), array_agg(counter.metric), array_agg(counter.per), array_agg(def.max),
       array_agg(limit_level(counter.per, def.max, counter.level, counter.level_at, counted_at)),
       array_agg(limit_reserved(counter.per, counter.reserved, counter.reserved_before, counter.generation,
         counter.level_at, counted_at)),
       array_agg(0)
     INTO owners, metrics, periods, maxima, levels, reserved, counts
     FROM unnest(owners, metrics, periods, maxima) AS def (owner_id, metric, per, max)
     JOIN limit_counters AS counter USING (owner_id, metric, per);

     FOR ask IN
       WITH counters AS (
         SELECT owner, array_agg(place) AS indexes FROM unnest(owners) WITH ORDINALITY AS one (owner, place) GROUP BY owner
       )
       SELECT each.*, coalesce(of_key.indexes, '{}') || coalesce(of_organization.indexes, '{}') AS indexes
       FROM unnest(asks) AS each
       LEFT JOIN counters AS of_key ON of_key.owner = each.key_id
       LEFT JOIN counters AS of_organization ON of_organization.owner = each.organization_id
       ORDER BY each."position"
     LOOP
       fits := true;
       FOR n IN 1 .. cardinality(ask.indexes) LOOP
         CONTINUE WHEN NOT CASE metrics[ask.indexes[n]] WHEN 'tokens' THEN ask.tokens WHEN 'pages' THEN ask.pages
           ELSE true END;
         fits := maxima[ask.indexes[n]] - levels[ask.indexes[n]] >= 1 - tolerance;
         EXIT WHEN NOT fits;
       END LOOP;
       CONTINUE WHEN NOT fits;
       FOR n IN 1 .. cardinality(ask.indexes) LOOP
         CONTINUE WHEN metrics[ask.indexes[n]] <> 'requests';
         levels[ask.indexes[n]] := levels[ask.indexes[n]] + 1;
         counts[ask.indexes[n]] := counts[ask.indexes[n]] + 1;
       END LOOP;
       admitted := admitted || ask."position";
     END LOOP;

     UPDATE limit_counters AS counter SET level = new.level, level_at = counted_at
     FROM unnest(owners, metrics, periods, levels, counts) AS new (owner_id, metric, per, level, count)
     WHERE new.count > 0 AND counter.owner_id = new.owner_id AND counter.metric = new.metric AND counter.per = new.per;

     RETURN json_build_object(
       'at', extract(epoch FROM counted_at) * 1000,
       'admitted', to_json(admitted),
       'limits', (
         SELECT coalesce(json_agg(json_build_array(state.owner_id, state.metric, state.per, state.max, state.level, state.reserved)), '[]')
         FROM unnest(owners, metrics, periods, maxima, levels, reserved)
           AS state (owner_id, metric, per, max, level, reserved)
       )
     );
   END
   $$;

CREATE FUNCTION public.delete_old_audit_events(retention_days integer, max_count integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  DECLARE
      cutoff timestamptz := now() - make_interval(days => greatest(retention_days, 30));
      last_id uuid := rpad(lpad(to_hex((extract(epoch FROM cutoff + interval '1 day') * 1000)::bigint), 12, '0'), 32, 'f')::uuid;
      deleted integer;
  BEGIN
      IF NOT EXISTS (SELECT FROM "public"."audit_events" WHERE id <= last_id AND occurred_at < cutoff) THEN
          RETURN 0;
      END IF;
      PERFORM set_config('keycard.deletes_old_audit_events', 'on', true);
      GRANT DELETE ON "public"."audit_events" TO CURRENT_USER;
      DELETE FROM "public"."audit_events" WHERE id IN (
          SELECT id FROM "public"."audit_events" WHERE id <= last_id AND occurred_at < cutoff ORDER BY id LIMIT max_count
      );
      GET DIAGNOSTICS deleted = ROW_COUNT;
      REVOKE DELETE ON "public"."audit_events" FROM CURRENT_USER;
      PERFORM set_config('keycard.deletes_old_audit_events', 'off', true);
      RETURN deleted;
  END $$;

CREATE FUNCTION public.is_in_limit_period(per text, since timestamp with time zone, at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
     SELECT CASE per WHEN 'day' THEN since >= date_trunc('day', at, 'UTC')
       WHEN 'month' THEN since >= date_trunc('month', at, 'UTC') ELSE true END
   $$;

CREATE FUNCTION public.limit_generation(at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
     SELECT floor(extract(epoch FROM at) / 150)::bigint
   $$;

CREATE FUNCTION public.limit_level(per text, max bigint, level double precision, level_at timestamp with time zone, at timestamp with time zone) RETURNS double precision
    LANGUAGE sql STABLE
    AS $$
     SELECT CASE per
       WHEN 'day' THEN CASE WHEN level_at >= date_trunc('day', at, 'UTC') THEN level ELSE 0 END
       WHEN 'month' THEN CASE WHEN level_at >= date_trunc('month', at, 'UTC') THEN level ELSE 0 END
       ELSE greatest(0, level - greatest(0, extract(epoch FROM at - level_at)::double precision) * max
         / CASE per WHEN 'second' THEN 1 WHEN 'minute' THEN 60 ELSE 3600 END)
     END
   $$;

CREATE FUNCTION public.limit_refund(per text, max bigint, charged double precision, used double precision, charged_at timestamp with time zone, at timestamp with time zone) RETURNS double precision
    LANGUAGE sql STABLE
    AS $$
     SELECT greatest(0, least(charged - used,
       charged - greatest(0, extract(epoch FROM at - charged_at)::double precision) * max
         / CASE per WHEN 'second' THEN 1 WHEN 'minute' THEN 60 ELSE 3600 END))
   $$;

CREATE FUNCTION public.limit_reserved(per text, reserved bigint, reserved_before bigint, generation bigint, level_at timestamp with time zone, at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
     SELECT CASE WHEN NOT is_in_limit_period(per, level_at, at) THEN 0
       ELSE CASE WHEN generation >= limit_generation(at) - 1 THEN reserved ELSE 0 END
         + CASE WHEN generation >= limit_generation(at) THEN reserved_before ELSE 0 END END
   $$;

CREATE FUNCTION public.limits_of(key_ids uuid[], organization_ids uuid[]) RETURNS TABLE(owner_id uuid, metric text, per text, max bigint)
    LANGUAGE sql STABLE
    AS $$
     SELECT owner.id, def.metric, def.per, def.max
     FROM (
       SELECT id, limits FROM api_keys WHERE id = ANY (key_ids) AND limits IS NOT NULL
       UNION ALL
       SELECT id, limits FROM organizations WHERE id = ANY (organization_ids) AND limits IS NOT NULL
     ) AS owner
     CROSS JOIN LATERAL jsonb_to_recordset(owner.limits) AS def (metric text, per text, max bigint)
   $$;

CREATE FUNCTION public.refuse_to_change_audit_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
      IF TG_OP = 'DELETE' AND current_setting('keycard.deletes_old_audit_events', true) = 'on' THEN
          RETURN NULL;
      END IF;
      RAISE EXCEPTION 'Audit events cannot be changed or deleted.' USING ERRCODE = 'insufficient_privilege';
  END $$;

CREATE FUNCTION public.renew_reservations(reservations json) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
   DECLARE
     renewed_at timestamptz;
     this_generation bigint;
     key_ids uuid[];
     organization_ids uuid[];
   BEGIN
     SELECT array_agg(DISTINCT "keyId"), array_agg(DISTINCT "organizationId") INTO key_ids, organization_ids
     FROM json_to_recordset(reservations) AS one ("keyId" uuid, "organizationId" uuid);
     PERFORM FROM limits_of(key_ids, organization_ids) AS def
       JOIN limit_counters AS counter USING (owner_id, metric, per)
       WHERE counter.metric <> 'requests' AND counter.per IN ('day', 'month')
       ORDER BY counter.owner_id, counter.metric, counter.per
       FOR UPDATE OF counter;
     renewed_at := clock_timestamp();
     this_generation := limit_generation(renewed_at);
     WITH held AS (
       SELECT owner.id AS owner_id, of_metric.metric, of_metric.amount, generation,
         to_timestamp("reservedAt" / 1000) AS reserved_at
       FROM json_to_recordset(reservations) AS one (
         "keyId" uuid, "organizationId" uuid, tokens bigint, pages bigint, generation bigint, "reservedAt" double precision
       )
       CROSS JOIN LATERAL (VALUES ("keyId"), ("organizationId")) AS owner (id)
       CROSS JOIN LATERAL (VALUES ('tokens', tokens), ('pages', pages)) AS of_metric (metric, amount)
     ), change AS (
       SELECT def.owner_id, def.metric, def.per, def.max,
         coalesce(sum(held.amount) FILTER (WHERE held.generation < this_generation), 0) AS added,
         coalesce(sum(held.amount) FILTER (WHERE held.generation = this_generation - 1), 0) AS removed
       FROM limits_of(key_ids, organization_ids) AS def
       JOIN held ON held.owner_id = def.owner_id AND held.metric = def.metric
       WHERE def.per IN ('day', 'month') AND is_in_limit_period(def.per, held.reserved_at, renewed_at)
       GROUP BY 1, 2, 3, 4
     )
     UPDATE limit_counters AS counter
     SET level = limit_level(counter.per, change.max, counter.level, counter.level_at, renewed_at),
       level_at = renewed_at,
       reserved = change.added + CASE WHEN counter.generation < this_generation
         OR NOT is_in_limit_period(counter.per, counter.level_at, renewed_at) THEN 0 ELSE counter.reserved END,
       reserved_before = greatest(0, CASE WHEN NOT is_in_limit_period(counter.per, counter.level_at, renewed_at) THEN 0
         WHEN counter.generation >= this_generation THEN counter.reserved_before
         WHEN counter.generation = this_generation - 1 THEN counter.reserved ELSE 0 END - change.removed),
       estimated = CASE WHEN is_in_limit_period(counter.per, counter.level_at, renewed_at) THEN counter.estimated ELSE 0 END,
       generation = this_generation
     FROM change
     WHERE counter.owner_id = change.owner_id AND counter.metric = change.metric AND counter.per = change.per;
     RETURN this_generation;
   END
   $$;

CREATE FUNCTION public.reserve_usage(asks public.usage_ask[]) RETURNS json
    LANGUAGE plpgsql
    AS $$
   DECLARE
     tolerance CONSTANT double precision := 0.000001;
     reserved_at timestamptz;
     reserved_at_microseconds bigint;
     this_generation bigint;
     owners uuid[];
     metrics text[];
     periods text[];
     maxima bigint[];
     levels double precision[];
     reserved_now bigint[];
     reserved_then bigint[];
     estimates double precision[];
     all_waiters jsonb[];
     changed boolean[];
     reserved integer[] := '{}';
     waiting json[] := '{}';
     ask record;
     since bigint;
     amounts bigint[];
     charges bigint[];
     kind integer;
     i integer;
     is_budget boolean;
     fits boolean;
     waits boolean;
   BEGIN
     SELECT array_agg(owner_id), array_agg(metric), array_agg(per), array_agg(max)
     INTO owners, metrics, periods, maxima
     FROM limits_of(
       (SELECT array_agg(DISTINCT key_id) FROM unnest(asks)), (SELECT array_agg(DISTINCT organization_id) FROM unnest(asks))
     );
     PERFORM FROM unnest(owners, metrics, periods) AS def (owner_id, metric, per)
       JOIN limit_counters AS counter USING (owner_id, metric, per)
       WHERE counter.metric <> 'requests'
       ORDER BY counter.owner_id, counter.metric, counter.per
       FOR UPDATE OF counter;
     reserved_at := clock_timestamp();
     reserved_at_microseconds := extract(epoch FROM reserved_at) * 1000000;
     this_generation := limit_generation(reserved_at);
     SELECT array_agg(counter.owner_id), array_agg(counter.metric), array_agg(counter.per), array_agg(def.max),
       array_agg(limit_level(counter.per, def.max, counter.level, counter.level_at, reserved_at)),
       array_agg(CASE WHEN counter.generation >= this_generation AND is_in_limit_period(counter.per, counter.level_at, reserved_at)
         THEN counter.reserved ELSE 0 END),
       array_agg(CASE WHEN NOT is_in_limit_period(counter.per, counter.level_at, reserved_at) THEN 0
         WHEN counter.generation >= this_generation THEN counter.reserved_before
         WHEN counter.generation = this_generation - 1 THEN counter.reserved ELSE 0 END),
       array_agg(CASE WHEN is_in_limit_period(counter.per, counter.level_at, reserved_at) THEN counter.estimated ELSE 0 END),
       array_agg(CASE WHEN counter.waiters = '{}' THEN '{}' ELSE (
         SELECT coalesce(jsonb_object_agg(live.key, live.value), '{}')
         FROM (
           SELECT * FROM jsonb_each(counter.waiters)
           WHERE value::bigint > reserved_at_microseconds - 500000 ORDER BY key::bigint LIMIT 32
         ) AS live
       ) END),
       array_agg(false)
     INTO owners, metrics, periods, maxima, levels, reserved_now, reserved_then, estimates, all_waiters, changed
     FROM unnest(owners, metrics, periods, maxima) AS def (owner_id, metric, per, max)
     JOIN limit_counters AS counter USING (owner_id, metric, per);

     FOR ask IN
       WITH counters AS (
         SELECT owner, array_agg(place) AS indexes FROM unnest(owners) WITH ORDINALITY AS one (owner, place) GROUP BY owner
       )
       SELECT each.*, coalesce(of_key.indexes, '{}') || coalesce(of_organization.indexes, '{}') AS indexes
       FROM unnest(asks) AS each
       LEFT JOIN counters AS of_key ON of_key.owner = each.key_id
       LEFT JOIN counters AS of_organization ON of_organization.owner = each.organization_id
       ORDER BY each."position"
     LOOP
       amounts := ARRAY[ask.tokens, ask.pages];
       charges := ARRAY[coalesce(ask.estimated_tokens, ask.tokens), coalesce(ask.estimated_pages, ask.pages)];
       -- Different for each request of a batch, so that they keep their order.
       since := coalesce(ask.waiting_since, reserved_at_microseconds + ask."position");
       fits := true;
       waits := false;
       FOREACH i IN ARRAY ask.indexes LOOP
         kind := CASE metrics[i] WHEN 'tokens' THEN 1 WHEN 'pages' THEN 2 ELSE 0 END;
         CONTINUE WHEN kind = 0 OR amounts[kind] = 0;
         is_budget := periods[i] IN ('day', 'month');
         IF is_budget THEN
           fits := amounts[kind] <= maxima[i] - levels[i] + tolerance;
           waits := waits OR amounts[kind] > maxima[i] - levels[i] - reserved_now[i] - reserved_then[i] + tolerance
             OR EXISTS (SELECT FROM jsonb_object_keys(all_waiters[i]) AS other WHERE other::bigint < since);
         ELSIF (CASE kind WHEN 1 THEN ask.estimated_tokens ELSE ask.estimated_pages END) IS NULL THEN
           fits := amounts[kind] <= maxima[i] - levels[i] - reserved_now[i] - reserved_then[i] + tolerance;
         ELSE
           fits := maxima[i] - levels[i] - reserved_now[i] - reserved_then[i] > tolerance;
         END IF;
         EXIT WHEN NOT fits;
       END LOOP;

       FOREACH i IN ARRAY ask.indexes LOOP
         kind := CASE metrics[i] WHEN 'tokens' THEN 1 WHEN 'pages' THEN 2 ELSE 0 END;
         CONTINUE WHEN kind = 0 OR amounts[kind] = 0;
         is_budget := periods[i] IN ('day', 'month');
         IF fits AND NOT waits THEN
           changed[i] := true;
           IF is_budget THEN reserved_now[i] := reserved_now[i] + amounts[kind];
           ELSE levels[i] := levels[i] + charges[kind];
           END IF;
         END IF;
         IF NOT is_budget THEN CONTINUE;
         ELSIF fits AND waits AND NOT ask.is_last_attempt THEN
           all_waiters[i] := all_waiters[i] || jsonb_build_object(since::text, reserved_at_microseconds);
           changed[i] := true;
         ELSIF all_waiters[i] ? since::text THEN
           all_waiters[i] := all_waiters[i] - since::text;
           changed[i] := true;
         END IF;
       END LOOP;
       IF fits AND waits THEN waiting := waiting || json_build_array(ask."position", since);
       ELSIF fits THEN reserved := reserved || ask."position";
       END IF;
     END LOOP;

     UPDATE limit_counters AS counter
     SET level = new.level, level_at = reserved_at, reserved = new.reserved_now, reserved_before = new.reserved_then,
       generation = this_generation, estimated = new.estimated, waiters = all_waiters[new.place]
     FROM unnest(owners, metrics, periods, levels, reserved_now, reserved_then, estimates, changed)
       WITH ORDINALITY
       AS new (owner_id, metric, per, level, reserved_now, reserved_then, estimated, changed, place)
     WHERE new.changed AND counter.owner_id = new.owner_id AND counter.metric = new.metric AND counter.per = new.per;

     RETURN json_build_object(
       'at', extract(epoch FROM reserved_at) * 1000,
       'generation', this_generation,
       'reserved', to_json(reserved),
       'waiting', to_json(waiting),
       'limits', (
         SELECT coalesce(json_agg(json_build_array(
           state.owner_id, state.metric, state.per, state.max, state.level, state.reserved_now + state.reserved_then
         )), '[]')
         FROM unnest(owners, metrics, periods, maxima, levels, reserved_now, reserved_then)
           AS state (owner_id, metric, per, max, level, reserved_now, reserved_then)
       )
     );
   END
   $$;

CREATE FUNCTION public.settle_requests(settlements json) RETURNS void
    LANGUAGE plpgsql
    AS $$
   DECLARE
     settled_at timestamptz;
     this_generation bigint;
     key_ids uuid[];
     organization_ids uuid[];
   BEGIN
     SELECT array_agg(DISTINCT "keyId"), array_agg(DISTINCT "organizationId") INTO key_ids, organization_ids
     FROM json_to_recordset(settlements) AS one ("keyId" uuid, "organizationId" uuid);
     PERFORM FROM limits_of(key_ids, organization_ids) AS def
       JOIN limit_counters AS counter USING (owner_id, metric, per)
       ORDER BY counter.owner_id, counter.metric, counter.per
       FOR UPDATE OF counter;
     settled_at := clock_timestamp();
     this_generation := limit_generation(settled_at);
     WITH ended AS (
       SELECT owner.id AS owner_id, of_metric.*
       FROM json_to_recordset(settlements) AS one (
         "keyId" uuid, "organizationId" uuid, "countedAt" double precision, "isRefunded" boolean,
         "reservedAt" double precision, generation bigint, "heldTokens" bigint, "heldPages" bigint,
         "chargedTokens" bigint, "chargedPages" bigint, tokens bigint, pages bigint
       )
       CROSS JOIN LATERAL (VALUES ("keyId"), ("organizationId")) AS owner (id)
       CROSS JOIN LATERAL (
         VALUES ('requests', to_timestamp("countedAt" / 1000), null::bigint, 0, 1, CASE WHEN "isRefunded" THEN 0 END::bigint),
           ('tokens', to_timestamp("reservedAt" / 1000), generation, "heldTokens", "chargedTokens", tokens),
           ('pages', to_timestamp("reservedAt" / 1000), generation, "heldPages", "chargedPages", pages)
       ) AS of_metric (metric, since, generation, held, charged, used)
       WHERE of_metric.since IS NOT NULL AND (of_metric.metric <> 'requests' OR "isRefunded")
     ), change AS (
       SELECT def.owner_id, def.metric, def.per, def.max,
         sum(CASE WHEN def.metric = 'requests' AND def.per IN ('day', 'month') THEN -1
           WHEN def.per IN ('day', 'month') THEN coalesce(ended.used, ended.held)
           WHEN coalesce(ended.used, ended.charged) >= ended.charged THEN coalesce(ended.used, ended.charged) - ended.charged
           ELSE -limit_refund(def.per, def.max, ended.charged, ended.used, ended.since, settled_at) END) AS level,
         coalesce(sum(CASE WHEN def.per IN ('day', 'month') THEN ended.held ELSE ended.charged END)
           FILTER (WHERE ended.used IS NULL), 0) AS estimated,
         coalesce(sum(ended.held) FILTER (WHERE ended.generation = this_generation), 0) AS released_now,
         coalesce(sum(ended.held) FILTER (WHERE ended.generation = this_generation - 1), 0) AS released_then
       FROM limits_of(key_ids, organization_ids) AS def
       JOIN ended ON ended.owner_id = def.owner_id AND ended.metric = def.metric
       WHERE is_in_limit_period(def.per, ended.since, settled_at)
       GROUP BY 1, 2, 3, 4
     ), current AS (
       SELECT counter.owner_id, counter.metric, counter.per, change.estimated, change.released_now, change.released_then,
         greatest(0, limit_level(counter.per, change.max, counter.level, counter.level_at, settled_at) + change.level) AS level,
         is_in_limit_period(counter.per, counter.level_at, settled_at) AS is_current
       FROM change JOIN limit_counters AS counter USING (owner_id, metric, per)
     )
     UPDATE limit_counters AS counter
     SET level = current.level,
       level_at = settled_at,
       estimated = least(current.level, current.estimated + CASE WHEN is_current THEN counter.estimated ELSE 0 END),
       reserved = CASE WHEN NOT is_current OR counter.generation < this_generation THEN 0
         ELSE greatest(0, counter.reserved - current.released_now) END,
       reserved_before = CASE WHEN NOT is_current THEN 0
         ELSE greatest(0, CASE WHEN counter.generation >= this_generation THEN counter.reserved_before
           WHEN counter.generation = this_generation - 1 THEN counter.reserved ELSE 0 END - current.released_then) END,
       generation = this_generation
     FROM current
     WHERE counter.owner_id = current.owner_id AND counter.metric = current.metric AND counter.per = current.per;
   END
   $$;

CREATE FUNCTION public.settle_usage(settlements json) RETURNS void
    LANGUAGE plpgsql
    AS $$
   DECLARE
     settled_at timestamptz;
     this_generation bigint;
     key_ids uuid[];
     organization_ids uuid[];
   BEGIN
     SELECT array_agg(DISTINCT "keyId"), array_agg(DISTINCT "organizationId") INTO key_ids, organization_ids
     FROM json_to_recordset(settlements) AS one ("keyId" uuid, "organizationId" uuid);
     PERFORM FROM limits_of(key_ids, organization_ids) AS def
       JOIN limit_counters AS counter USING (owner_id, metric, per)
       ORDER BY counter.owner_id, counter.metric, counter.per
       FOR UPDATE OF counter;
     settled_at := clock_timestamp();
     this_generation := limit_generation(settled_at);
     WITH ended AS (
       SELECT * FROM json_to_recordset(settlements) AS one (
         "keyId" uuid, "organizationId" uuid, requests bigint, tokens bigint, pages bigint,
         generation bigint, "heldTokens" bigint, "heldPages" bigint
       )
     ), change AS (
       SELECT owner.id AS owner_id, of_metric.metric, sum(of_metric.used) AS used,
         sum(of_metric.held) FILTER (WHERE ended.generation = this_generation) AS released_now,
         sum(of_metric.held) FILTER (WHERE ended.generation = this_generation - 1) AS released_then
       FROM ended
       CROSS JOIN LATERAL (VALUES ("keyId"), ("organizationId")) AS owner (id)
       CROSS JOIN LATERAL (
         VALUES ('requests', requests, 0), ('tokens', tokens, "heldTokens"), ('pages', pages, "heldPages")
       ) AS of_metric (metric, used, held)
       GROUP BY owner.id, of_metric.metric
     )
     UPDATE limit_counters AS counter
     SET level = greatest(0,
           limit_level(counter.per, def.max, counter.level, counter.level_at, settled_at) + change.used),
       level_at = settled_at,
       reserved = greatest(0,
         CASE WHEN counter.generation < this_generation THEN 0 ELSE counter.reserved END
           - coalesce(change.released_now, 0)),
       reserved_before = greatest(0,
         CASE WHEN counter.generation >= this_generation THEN counter.reserved_before
           WHEN counter.generation = this_generation - 1 THEN counter.reserved ELSE 0 END
           - coalesce(change.released_then, 0)),
       generation = this_generation
     FROM limits_of(key_ids, organization_ids) AS def
     JOIN change ON change.owner_id = def.owner_id AND change.metric = def.metric
     WHERE counter.owner_id = def.owner_id AND counter.metric = def.metric AND counter.per = def.per;
   END
   $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    folded_name text NOT NULL COLLATE pg_catalog."C",
    hint text NOT NULL,
    key_hash bytea NOT NULL,
    created_by_id uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    previous_key_hash bytea,
    previous_key_expires_at timestamp(3) with time zone,
    enabled boolean DEFAULT true NOT NULL,
    note text,
    models text[],
    addresses text[],
    limits jsonb,
    organization_limited boolean DEFAULT false NOT NULL,
    last_used_address text,
    created_by_service_account_id uuid,
    previous_key_hint text,
    rotated_at timestamp(3) with time zone,
    previous_last_used_at timestamp(3) with time zone
);

CREATE TABLE public.audit_events (
    id uuid NOT NULL,
    organization_id uuid,
    occurred_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    action text NOT NULL,
    actor_id uuid,
    actor_email text,
    address text NOT NULL,
    user_agent text,
    target_kind text NOT NULL,
    target_id uuid,
    target_name text,
    target_hint text,
    before jsonb,
    after jsonb,
    actor_kind text DEFAULT 'user'::text NOT NULL,
    actor_name text
);

CREATE TABLE public.database_history (
    beat bigint NOT NULL,
    token uuid NOT NULL,
    written_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    server_started_at timestamp with time zone NOT NULL,
    serving_since timestamp with time zone
);

COMMENT ON TABLE public.database_history IS 'A row per second while replicas run. A database without a row that was confirmed has gone back in time';

COMMENT ON COLUMN public.database_history.token IS 'Random, so that two databases with a common past write different rows';

COMMENT ON COLUMN public.database_history.server_started_at IS 'Identifies the server process that wrote the row';

COMMENT ON COLUMN public.database_history.serving_since IS 'When this server process wrote its first row; null for the first server of the database';

CREATE TABLE public.database_identity (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    generation bigint DEFAULT 0 NOT NULL,
    lost_at timestamp with time zone
);

COMMENT ON TABLE public.database_identity IS 'One row about this database';

COMMENT ON COLUMN public.database_identity.generation IS 'Increased each time an operator accepts a history that lacks rows';

COMMENT ON COLUMN public.database_identity.lost_at IS 'When a replica first missed a row that it had seen';

CREATE TABLE public.deleted_api_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    hint text NOT NULL,
    deleted_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.failed_requests (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    route text NOT NULL,
    model text NOT NULL,
    status smallint NOT NULL,
    code text NOT NULL,
    request_id text NOT NULL,
    address text,
    requested_model text,
    exceeded_limit jsonb,
    invalid_fields jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE public.failure_counts (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    api_key_id uuid NOT NULL,
    model text NOT NULL,
    status smallint NOT NULL,
    code text NOT NULL,
    requests bigint NOT NULL
);

CREATE TABLE public.idempotency_keys (
    hash bytea NOT NULL,
    organization_id uuid NOT NULL,
    body_hash bytea NOT NULL,
    api_key_id uuid NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.invitations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    role_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    invited_by_id uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.limit_counters (
    owner_id uuid NOT NULL,
    metric text NOT NULL,
    per text NOT NULL,
    organization_id uuid NOT NULL,
    level double precision DEFAULT 0 NOT NULL,
    level_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    reserved_before bigint DEFAULT 0 NOT NULL,
    generation bigint DEFAULT 0 NOT NULL,
    estimated double precision DEFAULT 0 NOT NULL,
    waiters jsonb DEFAULT '{}'::jsonb NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.logout_tokens (
    token_hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.memberships (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    role_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);

CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;

CREATE TABLE public.organizations (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    longest_key_lifetime_days integer,
    limits jsonb,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT organizations_key_lifetime CHECK (((longest_key_lifetime_days >= 1) AND (longest_key_lifetime_days <= 3650)))
);

CREATE TABLE public.password_resets (
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.provider_logouts (
    id uuid NOT NULL,
    subject_hash bytea,
    session_hash bytea,
    issued_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.provisioned_memberships (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    role_ids uuid[] NOT NULL,
    claimed_at timestamp(0) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);

CREATE TABLE public.roles (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.service_accounts (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    role_id uuid NOT NULL,
    hint text NOT NULL,
    secret_hash bytea NOT NULL,
    secret_version integer DEFAULT 1 NOT NULL,
    previous_secret_hash bytea,
    previous_secret_expires_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone
);

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    family_hash bytea NOT NULL,
    secret_hash bytea NOT NULL,
    previous_secret_hash bytea,
    rotation_nonce bytea,
    rotated_at timestamp(3) with time zone,
    address text NOT NULL,
    user_agent text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    issuer text,
    provider_session_id text
);

CREATE TABLE public.usage (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    api_key_id uuid NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    latency_bucket smallint NOT NULL,
    requests bigint NOT NULL,
    failures bigint NOT NULL,
    input_tokens bigint NOT NULL,
    pages bigint NOT NULL,
    microseconds bigint NOT NULL,
    limited bigint DEFAULT 0 NOT NULL,
    estimated bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.usage_by_day (
    start timestamp with time zone NOT NULL,
    series_id integer NOT NULL,
    slots smallint[] NOT NULL,
    requests bigint[] NOT NULL,
    input_tokens bigint[],
    failures bigint[],
    limited bigint[],
    pages bigint[],
    latencies bigint[] NOT NULL,
    estimated bigint[]
);

CREATE TABLE public.usage_by_hour (
    start timestamp with time zone NOT NULL,
    series_id integer NOT NULL,
    slots smallint[] NOT NULL,
    requests bigint[] NOT NULL,
    input_tokens bigint[],
    failures bigint[],
    limited bigint[],
    pages bigint[],
    latencies bigint[] NOT NULL,
    estimated bigint[]
);

CREATE TABLE public.usage_by_month (
    start timestamp with time zone NOT NULL,
    series_id integer NOT NULL,
    slots smallint[] NOT NULL,
    requests bigint[] NOT NULL,
    input_tokens bigint[],
    failures bigint[],
    limited bigint[],
    pages bigint[],
    latencies bigint[] NOT NULL,
    estimated bigint[]
);

CREATE TABLE public.usage_series (
    id integer NOT NULL,
    organization_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.user_identities (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    email_verified_at timestamp(3) with time zone,
    email_verified_by text,
    password_removed_at timestamp(3) with time zone,
    CONSTRAINT users_email_verification CHECK ((((email_verified_at IS NULL) = (email_verified_by IS NULL)) AND (email_verified_by = ANY (ARRAY['provider'::text, 'first-administrator'::text]))))
);

ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);

INSERT INTO public.api_keys VALUES ('01a2203f-996b-7717-9db1-a20025267504', '01a2203f-9825-75f6-b394-516af05b48b5', 'Invoices – Größe', 'invoices – größe', 'kc_K1lFz', '\x706a11a7eefd5891c65c9d7992ffce49f278da1253ed2c1f7d8d6a2aeaff3648', '01a2203f-9824-70e6-8e9c-9179dcd89e18', '2026-11-28 03:42:48.684+00', '2026-11-28 03:42:49.018+00', '2026-11-28 03:42:51.244+00', '2036-10-06 03:42:48.554+00', '\xb79bf4e05b01dd7f82a51283931754d2ea2f9e666fa67376516550e1094a0f0c', '2026-12-05 03:42:49.018+00', true, NULL, NULL, '{127.0.0.0/8,::1}', NULL, true, '127.0.0.1', NULL, 'kc_N1lKf', '2026-11-28 03:42:49.018+00', '2026-11-28 03:42:48.97+00');
INSERT INTO public.api_keys VALUES ('01a2203f-991a-7344-957a-2c0e2c36c7b3', '01a2203f-9825-75f6-b394-516af05b48b5', 'Search indexer', 'search indexer', 'kc_SN30v', '\x8272879bf14e782009fd7bb8597756d4bdd80be11a938b06d06e89b7d0717a58', '01a2203f-9824-70e6-8e9c-9179dcd89e18', '2026-11-28 03:42:48.603+00', '2026-11-28 03:42:48.603+00', '2026-11-28 03:42:51.257+00', '2036-10-06 03:42:48.554+00', NULL, NULL, true, 'Runs at night', NULL, NULL, '[{"max": 600, "per": "minute", "metric": "requests"}, {"max": 5000000, "per": "month", "metric": "tokens"}]', true, '127.0.0.1', NULL, NULL, NULL, NULL);

INSERT INTO public.audit_events VALUES ('01a2203f-98b7-7760-80fa-2de49e00a8ef', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:48.508+00', 'organization.update', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'organization', '01a2203f-9825-75f6-b394-516af05b48b5', 'Research', NULL, '{"limits": null, "longestKeyLifetimeDays": null}', '{"limits": [{"max": 1000000, "per": "month", "metric": "requests"}], "longestKeyLifetimeDays": 3650}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-992b-71be-b3e9-1b5003edc48f', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:48.62+00', 'api-key.create', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'api-key', '01a2203f-991a-7344-957a-2c0e2c36c7b3', 'Search indexer', 'kc_SN30v', NULL, '{"name": "Search indexer", "note": "Runs at night", "limits": [{"max": 600, "per": "minute", "metric": "requests"}, {"max": 5000000, "per": "month", "metric": "tokens"}], "models": null, "expiresAt": "2036-10-06T03:42:48.554Z"}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-9989-746f-bbca-22acc5420b0f', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:48.714+00', 'api-key.create', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'api-key', '01a2203f-996b-7717-9db1-a20025267504', 'Invoices – Größe', 'kc_N1lKf', NULL, '{"name": "Invoices – Größe", "addresses": ["127.0.0.0/8", "::1"], "expiresAt": "2036-10-06T03:42:48.554Z"}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-99c9-74db-9dcc-417c17eb830f', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:48.778+00', 'api-key.create', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'api-key', '01a2203f-99bd-71d5-bb61-e698a906a18e', 'Leaked key', 'kc_gsPzj', NULL, '{"name": "Leaked key", "expiresAt": "2036-10-06T03:42:48.554Z"}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-9aba-7483-bc83-b1c00054e1a4', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:49.019+00', 'api-key.rotate', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'api-key', '01a2203f-996b-7717-9db1-a20025267504', 'Invoices – Größe', 'kc_K1lFz', '{"hint": "kc_N1lKf"}', '{"hint": "kc_K1lFz", "gracePeriodSeconds": 604800}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-a3ed-77c8-b8f2-4443214efbbb', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:51.374+00', 'api-key.delete', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'api-key', '01a2203f-99bd-71d5-bb61-e698a906a18e', 'Leaked key', 'kc_gsPzj', NULL, NULL, 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-a6c6-7756-8581-9f574afd007d', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:52.103+00', 'role.create', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'role', '01a2203f-a6be-770f-a7d2-e53170a4a416', 'Key manager', NULL, NULL, '{"name": "Key manager", "permissions": ["create-api-keys", "get-api-keys"]}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-a737-762f-821c-95f44f4a61c8', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:52.216+00', 'service-account.create', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'service-account', '01a2203f-a732-7443-aaff-c17d08b7cb0c', 'Deploy pipeline', 'kcs_TOYzF', NULL, '{"name": "Deploy pipeline", "role": "Key manager"}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-a770-763b-a4b2-23d1b058b4d7', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:52.273+00', 'service-account.rotate', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'service-account', '01a2203f-a732-7443-aaff-c17d08b7cb0c', 'Deploy pipeline', 'kcs_lliLv', '{"hint": "kcs_TOYzF"}', '{"hint": "kcs_lliLv", "gracePeriodSeconds": 3600}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-a78a-7722-a6fd-60c8ea517da4', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:52.299+00', 'sign-in', '01a2203f-a732-7443-aaff-c17d08b7cb0c', NULL, '127.0.0.1', 'node', 'service-account', '01a2203f-a732-7443-aaff-c17d08b7cb0c', 'Deploy pipeline', NULL, NULL, NULL, 'service-account', 'Deploy pipeline');
INSERT INTO public.audit_events VALUES ('01a2203f-a7c7-752f-b3f8-cf18b53324ad', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:52.364+00', 'invitation.create', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'invitation', '01a2203f-a7b2-77ce-ae22-248fc517d3e6', 'grace@example.com', NULL, NULL, '{"role": "Key manager"}', 'user', NULL);
INSERT INTO public.audit_events VALUES ('01a2203f-a8a9-7339-9567-44e7b8482326', '01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:42:52.588+00', 'sign-in-failed', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', '127.0.0.1', 'node', 'user', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', NULL, NULL, NULL, 'user', NULL);

INSERT INTO public.database_history VALUES (1, '6676f93f-7aa1-40b1-a9b6-c91511c2e6f6', '2026-11-28 03:42:48.340396+00', '2026-11-28 03:42:42.79675+00', NULL);
INSERT INTO public.database_history VALUES (2, '2c2398d5-2a86-42a9-8d64-efd55cdd7c00', '2026-11-28 03:42:49.344183+00', '2026-11-28 03:42:42.79675+00', NULL);
INSERT INTO public.database_history VALUES (3, '84a0404a-0ca1-49f0-bc1c-fb63dad297ca', '2026-11-28 03:42:50.356938+00', '2026-11-28 03:42:42.79675+00', NULL);
INSERT INTO public.database_history VALUES (4, '4a1cd89d-bba2-47cb-b5dc-5a8d8a3d8fb6', '2026-11-28 03:42:51.35869+00', '2026-11-28 03:42:42.79675+00', NULL);
INSERT INTO public.database_history VALUES (5, '83518288-ff3c-4496-b26a-e9008e21dfcf', '2026-11-28 03:42:52.360692+00', '2026-11-28 03:42:42.79675+00', NULL);

INSERT INTO public.database_identity VALUES ('a732d4ab-13bf-4974-b28d-408b222dde15', 0, NULL);

INSERT INTO public.deleted_api_keys VALUES ('01a2203f-99bd-71d5-bb61-e698a906a18e', '01a2203f-9825-75f6-b394-516af05b48b5', 'Leaked key', 'kc_gsPzj', '2026-11-28 03:42:51.36+00');

INSERT INTO public.failed_requests VALUES ('09b8f08b-79db-4904-91c9-adfdda8a366f', '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-996b-7717-9db1-a20025267504', '2026-11-28 03:42:51.286+00', 'POST /v1/embeddings', '', 404, 'model-not-found', 'b56ecfc7-86b7-4aab-ae44-7aa6ee210811', '127.0.0.1', 'unknown', NULL, '["model"]');
INSERT INTO public.failed_requests VALUES ('e3e97eea-5370-4c5c-baae-e0b5f4f341f6', '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-991a-7344-957a-2c0e2c36c7b3', '2026-11-28 03:42:51.25+00', 'POST /v1/embeddings', '', 404, 'model-not-found', 'b9b98cc5-afe9-49ba-9f39-5d9eacb09ee2', '127.0.0.1', 'unknown', NULL, '["model"]');

INSERT INTO public.failure_counts VALUES ('01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:00:00+00', '01a2203f-991a-7344-957a-2c0e2c36c7b3', '', 404, 'model-not-found', 1);
INSERT INTO public.failure_counts VALUES ('01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:00:00+00', '01a2203f-996b-7717-9db1-a20025267504', '', 404, 'model-not-found', 1);

INSERT INTO public.idempotency_keys VALUES ('\x413ada6d249b30da34942c11c1a6dc40574444e8ebeb8c01e5976be97de30db8', '01a2203f-9825-75f6-b394-516af05b48b5', '\xe7d484ed1850c99eea7a0858bc56f9066b8fa15fcf9bc4557a38b10e0ae7961e', '01a2203f-996b-7717-9db1-a20025267504', '2026-11-29 03:42:48.704+00');

INSERT INTO public.invitations VALUES ('01a2203f-a7b2-77ce-ae22-248fc517d3e6', '01a2203f-9825-75f6-b394-516af05b48b5', 'grace@example.com', '01a2203f-a6be-770f-a7d2-e53170a4a416', '\xf377b380df54f959d0d6b920b399212386972a2b6ec2f4fac070cb0142a990e5', '01a2203f-9824-70e6-8e9c-9179dcd89e18', '2026-11-28 03:42:52.339+00', '2026-12-05 03:42:52.339+00');

INSERT INTO public.limit_counters VALUES ('01a2203f-991a-7344-957a-2c0e2c36c7b3', 'tokens', 'month', '01a2203f-9825-75f6-b394-516af05b48b5', 0, '2026-11-28 03:42:48.617133+00', 0, 0, 0, 0, '{}');
INSERT INTO public.limit_counters VALUES ('01a2203f-991a-7344-957a-2c0e2c36c7b3', 'requests', 'minute', '01a2203f-9825-75f6-b394-516af05b48b5', 1, '2026-11-28 03:42:51.246875+00', 0, 0, 0, 0, '{}');
INSERT INTO public.limit_counters VALUES ('01a2203f-9825-75f6-b394-516af05b48b5', 'requests', 'month', '01a2203f-9825-75f6-b394-516af05b48b5', 7, '2026-11-28 03:42:51.284486+00', 0, 0, 0, 0, '{}');

INSERT INTO public.logout_tokens VALUES ('\x3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0', '2026-11-28 04:42:52.69+00');

INSERT INTO public.memberships VALUES ('01a2203f-9834-710d-b672-40ca8b61fa6f', '01a2203f-9824-70e6-8e9c-9179dcd89e18', '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-9834-710d-b672-449dcb81f1e0', '2026-11-28 03:42:48.379+00', '2026-11-28 03:42:48.379+00');

INSERT INTO public.migrations VALUES (1, 1795235329752, 'InitialSchema1795235329752');
INSERT INTO public.migrations VALUES (2, 1795245674253, 'Usage1795245674253');
INSERT INTO public.migrations VALUES (3, 1795245943678, 'AuditEvents1795245943678');
INSERT INTO public.migrations VALUES (4, 1795247127186, 'Sessions1795247127186');
INSERT INTO public.migrations VALUES (5, 1795247405158, 'SingleSignOn1795247405158');
INSERT INTO public.migrations VALUES (6, 1795247619250, 'Invitations1795247619250');
INSERT INTO public.migrations VALUES (7, 1795247700000, 'RateLimits1795247700000');
INSERT INTO public.migrations VALUES (8, 1795248000000, 'KeyLifecycle1795248000000');
INSERT INTO public.migrations VALUES (9, 1795249404889, 'AuditEventFilters1795249404889');
INSERT INTO public.migrations VALUES (10, 1795333612551, 'EmailVerification1795333612551');
INSERT INTO public.migrations VALUES (11, 1795335512381, 'ProviderSessions1795335512381');
INSERT INTO public.migrations VALUES (12, 1795335833013, 'PasswordResets1795335833013');
INSERT INTO public.migrations VALUES (13, 1795340000000, 'ProviderSessionsIndex1795340000000');
INSERT INTO public.migrations VALUES (14, 1795345066841, 'ProviderLogouts1795345066841');
INSERT INTO public.migrations VALUES (15, 1795372200000, 'KeyRestrictions1795372200000');
INSERT INTO public.migrations VALUES (16, 1795380000000, 'Limits1795380000000');
INSERT INTO public.migrations VALUES (17, 1795390000000, 'AdmitBatches1795390000000');
INSERT INTO public.migrations VALUES (18, 1795400000000, 'FailedRequests1795400000000');
INSERT INTO public.migrations VALUES (19, 1795401000000, 'KeyUse1795401000000');
INSERT INTO public.migrations VALUES (20, 1795412300000, 'UsageHistory1795412300000');
INSERT INTO public.migrations VALUES (21, 1795420000000, 'Automation1795420000000');
INSERT INTO public.migrations VALUES (22, 1795430000000, 'PackedUsage1795430000000');
INSERT INTO public.migrations VALUES (23, 1795440000000, 'DeletedOrganizations1795440000000');
INSERT INTO public.migrations VALUES (24, 1795450000000, 'AuditEventHints1795450000000');
INSERT INTO public.migrations VALUES (25, 1795460000000, 'KeyRotations1795460000000');
INSERT INTO public.migrations VALUES (26, 1795470000000, 'RequestedModels1795470000000');
INSERT INTO public.migrations VALUES (27, 1795480000000, 'ExceededLimits1795480000000');
INSERT INTO public.migrations VALUES (28, 1795490000000, 'InvalidFields1795490000000');
INSERT INTO public.migrations VALUES (29, 1795500000000, 'PreviousKeyUse1795500000000');
INSERT INTO public.migrations VALUES (30, 1795505000000, 'ReserveOnceKnown1795505000000');
INSERT INTO public.migrations VALUES (31, 1795506000000, 'SettleReservations1795506000000');
INSERT INTO public.migrations VALUES (32, 1795510000000, 'DatabaseHistory1795510000000');

INSERT INTO public.organizations VALUES ('01a2203f-9825-75f6-b394-516af05b48b5', 'Research', '2026-11-28 03:42:48.36+00', '2026-11-28 03:42:48.48+00', 3650, '[{"max": 1000000, "per": "month", "metric": "requests"}]', NULL);

INSERT INTO public.password_resets VALUES ('01a2203f-9824-70e6-8e9c-9179dcd89e18', '\x01be30bb4a27765c37462e6bf2a0bf8b6c109f9be9d81e6fd56455db1a736a43', '2026-11-28 03:42:52.693+00', '2026-11-28 04:42:52.693+00');

INSERT INTO public.provider_logouts VALUES ('33d0d897-be13-4297-b741-91227485efa4', '\xfdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029', NULL, '2026-11-28 03:42:52.691+00', '2026-11-28 04:42:52.691+00');

INSERT INTO public.provisioned_memberships VALUES ('01a2203f-9824-70e6-8e9c-9179dcd89e18', '01a2203f-9825-75f6-b394-516af05b48b5', '{01a2203f-9834-710d-b672-449dcb81f1e0}', '2026-11-28 03:42:53+00', '2026-11-28 03:42:52.687+00', '2026-11-28 03:42:52.687+00');

INSERT INTO public.rate_limits VALUES ('token by service account:BchSKsn9HTisPZK2cQMCHFWgG7BmVoeEs1NAR532bL0', 1, 1795838272292);
INSERT INTO public.rate_limits VALUES ('creation by user:X6fvT61Q6vcKpozDzwiwWWLCW4lXRMudyszajts9YXY', 8, 1795838268572);
INSERT INTO public.rate_limits VALUES ('creation by organization:Edke2fmIaiE_m7BzISvC9ezqnFCQP7PedTp65ZeTzrU', 8, 1795838268583);
INSERT INTO public.rate_limits VALUES ('sign-in by address:EsoXtJryKJQ28wPgFmAwoh5SXSZuIJJnQzgBqP1AcaA', 1, 1795838272472);
INSERT INTO public.rate_limits VALUES ('sign-in by account and address:cIFsm4e8LS3ouDgVKB9H67RzqFzwI9mX0d_ZhQc4E84', 1, 1795838272477);
INSERT INTO public.rate_limits VALUES ('sign-in by account:-5DtwZelY9JeM1WCuh8MS9HnuB8rOQHvtsUQWwneZ_A', 1, 1795838272480);

INSERT INTO public.roles VALUES ('01a2203f-9834-710d-b672-449dcb81f1e0', '01a2203f-9825-75f6-b394-516af05b48b5', 'Role 01a2203f-9834-710d-b672-449dcb81f1e0', '{create-api-keys,get-api-keys,update-api-keys,delete-api-keys,get-usage,update-organization,delete-organization,get-members,create-members,update-members,delete-members,get-service-accounts,create-service-accounts,update-service-accounts,delete-service-accounts,get-roles,create-roles,update-roles,delete-roles,get-audit-events}', '2026-11-28 03:42:48.376+00', '2026-11-28 03:42:48.376+00');
INSERT INTO public.roles VALUES ('01a2203f-a6be-770f-a7d2-e53170a4a416', '01a2203f-9825-75f6-b394-516af05b48b5', 'Key manager', '{create-api-keys,get-api-keys}', '2026-11-28 03:42:52.095+00', '2026-11-28 03:42:52.095+00');

INSERT INTO public.service_accounts VALUES ('01a2203f-a732-7443-aaff-c17d08b7cb0c', '01a2203f-9825-75f6-b394-516af05b48b5', 'Deploy pipeline', '01a2203f-a6be-770f-a7d2-e53170a4a416', 'kcs_lliLv', '\xfd0c6ee7239cb5b0b718e7a8addbc1bbd3a5fd1c4d81889ef42c6d49b5e15f39', 2, '\x39869f16e443a4e1402741572bab71f65875dee236b32383427fd380b90772a8', '2126-11-28 04:42:52.27+00', '2026-11-28 03:42:52.211+00', '2026-11-28 03:42:52.27+00', '2026-11-28 03:42:52.298+00');

INSERT INTO public.sessions VALUES ('01a2203f-983e-71ec-8dbe-a7e25dabc784', '01a2203f-9824-70e6-8e9c-9179dcd89e18', '01a2203f-9825-75f6-b394-516af05b48b5', '\x9d4d0775be20108a96cad6dc06d37242c16233ee5541a6fcfcdfc67b88441769', '\x6f3634ed1f8907c6865733989a5a45351ade1cd7035465c85443eac16ee833e4', NULL, NULL, NULL, '127.0.0.1', NULL, '2026-11-28 03:42:48.383+00', '2026-11-28 03:42:48.383+00', '2026-12-12 03:42:48.383+00', NULL, NULL);

INSERT INTO public.usage VALUES ('01a2203f-9825-75f6-b394-516af05b48b5', '2026-11-28 03:00:00+00', '01a2203f-991a-7344-957a-2c0e2c36c7b3', 'some-model', 13, 1, 0, 12, 0, 10000, 0, 0);

INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 1, '{23}', '{6}', NULL, '{6}', NULL, '{12}', '{6657542906183686}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 2, '{23}', '{15}', '{96}', NULL, NULL, NULL, '{6624557557350406,6638851208511491,6642149743394822}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 3, '{23}', '{6}', '{33}', NULL, NULL, NULL, '{6624557557350403,6642149743394819}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 4, '{23}', '{3}', '{33}', NULL, NULL, NULL, '{6638851208511491}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 5, '{23}', '{3}', NULL, '{3}', NULL, '{6}', '{6657542906183683}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 6, '{23}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 7, '{23}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 8, '{23}', '{3}', NULL, '{3}', NULL, '{6}', '{6657542906183683}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 9, '{23}', '{0}', NULL, NULL, '{6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2025-12-01 00:00:00+00', 10, '{23}', '{6}', '{30}', NULL, NULL, NULL, '{6624557557350403,6642149743394819}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 1, '{14}', '{6}', NULL, '{6}', NULL, '{12}', '{4124268115787782}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 2, '{14}', '{15}', '{96}', NULL, NULL, NULL, '{4091282766954502,4105576418115587,4108874952998918}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 3, '{14}', '{6}', '{33}', NULL, NULL, NULL, '{4091282766954499,4108874952998915}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 4, '{14}', '{3}', '{33}', NULL, NULL, NULL, '{4105576418115587}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 5, '{14}', '{3}', NULL, '{3}', NULL, '{6}', '{4124268115787779}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 6, '{14}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 7, '{14}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 8, '{14}', '{3}', NULL, '{3}', NULL, '{6}', '{4124268115787779}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 9, '{14}', '{0}', NULL, NULL, '{6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-08-01 00:00:00+00', 10, '{14}', '{6}', '{30}', NULL, NULL, NULL, '{4091282766954499,4108874952998915}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 1, '{1}', '{6}', NULL, '{6}', NULL, '{12}', '{465093418549254}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 2, '{1}', '{15}', '{96}', NULL, NULL, NULL, '{432108069715974,446401720877059,449700255760390}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 3, '{1}', '{6}', '{33}', NULL, NULL, NULL, '{432108069715971,449700255760387}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 4, '{1}', '{3}', '{33}', NULL, NULL, NULL, '{446401720877059}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 5, '{1}', '{3}', NULL, '{3}', NULL, '{6}', '{465093418549251}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 6, '{1}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 7, '{1}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 8, '{1}', '{3}', NULL, '{3}', NULL, '{6}', '{465093418549251}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 9, '{1}', '{0}', NULL, NULL, '{6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-10-01 00:00:00+00', 10, '{1}', '{6}', '{30}', NULL, NULL, NULL, '{432108069715971,449700255760387}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 1, '{19,25}', '{6,6}', NULL, '{6,6}', NULL, '{12,12}', '{5531642999341062,7220492859604998}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 2, '{19,25}', '{15,15}', '{96,96}', NULL, NULL, NULL, '{5498657650507782,5512951301668867,5516249836552198,7187507510771718,7201801161932803,7205099696816134}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 3, '{19,25}', '{6,6}', '{33,33}', NULL, NULL, NULL, '{5498657650507779,5516249836552195,7187507510771715,7205099696816131}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 4, '{19,25}', '{3,3}', '{33,33}', NULL, NULL, NULL, '{5512951301668867,7201801161932803}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 5, '{19,25}', '{3,3}', NULL, '{3,3}', NULL, '{6,6}', '{5531642999341059,7220492859604995}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 6, '{19,25}', '{0,0}', NULL, NULL, '{3,3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 7, '{19,25}', '{0,0}', NULL, NULL, '{3,3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 8, '{19,25}', '{3,3}', NULL, '{3,3}', NULL, '{6,6}', '{5531642999341059,7220492859604995}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 9, '{19,25}', '{0,0}', NULL, NULL, '{6,6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_day VALUES ('2026-11-01 00:00:00+00', 10, '{19,25}', '{6,6}', '{30,30}', NULL, NULL, NULL, '{5498657650507779,5516249836552195,7187507510771715,7205099696816131}', NULL);

INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 1, '{0,10,23}', '{2,2,2}', NULL, '{2,2,2}', NULL, '{4,4,4}', '{183618441838594,2998368208945154,6657542906183682}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 2, '{0,10,23}', '{5,5,5}', '{32,32,32}', NULL, NULL, NULL, '{150633093005314,164926744166401,168225279049730,2965382860111874,2979676511272961,2982975046156290,6624557557350402,6638851208511489,6642149743394818}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 3, '{0,10,23}', '{2,2,2}', '{11,11,11}', NULL, NULL, NULL, '{150633093005313,168225279049729,2965382860111873,2982975046156289,6624557557350401,6642149743394817}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 4, '{0,10,23}', '{1,1,1}', '{11,11,11}', NULL, NULL, NULL, '{164926744166401,2979676511272961,6638851208511489}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 5, '{0,10,23}', '{1,1,1}', NULL, '{1,1,1}', NULL, '{2,2,2}', '{183618441838593,2998368208945153,6657542906183681}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 6, '{0,10,23}', '{0,0,0}', NULL, NULL, '{1,1,1}', NULL, '{}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 7, '{0,10,23}', '{0,0,0}', NULL, NULL, '{1,1,1}', NULL, '{}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 8, '{0,10,23}', '{1,1,1}', NULL, '{1,1,1}', NULL, '{2,2,2}', '{183618441838593,2998368208945153,6657542906183681}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 9, '{0,10,23}', '{0,0,0}', NULL, NULL, '{2,2,2}', NULL, '{}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-20 00:00:00+00', 10, '{0,10,23}', '{2,2,2}', '{10,10,10}', NULL, NULL, NULL, '{150633093005313,168225279049729,2965382860111873,2982975046156289,6624557557350401,6642149743394817}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 1, '{0,10,23}', '{2,2,2}', NULL, '{2,2,2}', NULL, '{4,4,4}', '{183618441838594,2998368208945154,6657542906183682}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 2, '{0,10,23}', '{5,5,5}', '{32,32,32}', NULL, NULL, NULL, '{150633093005314,164926744166401,168225279049730,2965382860111874,2979676511272961,2982975046156290,6624557557350402,6638851208511489,6642149743394818}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 3, '{0,10,23}', '{2,2,2}', '{11,11,11}', NULL, NULL, NULL, '{150633093005313,168225279049729,2965382860111873,2982975046156289,6624557557350401,6642149743394817}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 4, '{0,10,23}', '{1,1,1}', '{11,11,11}', NULL, NULL, NULL, '{164926744166401,2979676511272961,6638851208511489}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 5, '{0,10,23}', '{1,1,1}', NULL, '{1,1,1}', NULL, '{2,2,2}', '{183618441838593,2998368208945153,6657542906183681}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 6, '{0,10,23}', '{0,0,0}', NULL, NULL, '{1,1,1}', NULL, '{}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 7, '{0,10,23}', '{0,0,0}', NULL, NULL, '{1,1,1}', NULL, '{}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 8, '{0,10,23}', '{1,1,1}', NULL, '{1,1,1}', NULL, '{2,2,2}', '{183618441838593,2998368208945153,6657542906183681}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 9, '{0,10,23}', '{0,0,0}', NULL, NULL, '{2,2,2}', NULL, '{}', NULL);
INSERT INTO public.usage_by_hour VALUES ('2026-11-26 00:00:00+00', 10, '{0,10,23}', '{2,2,2}', '{10,10,10}', NULL, NULL, NULL, '{150633093005313,168225279049729,2965382860111873,2982975046156289,6624557557350401,6642149743394817}', NULL);

INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 1, '{11}', '{6}', NULL, '{6}', NULL, '{12}', '{3279843185655814}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 2, '{11}', '{15}', '{96}', NULL, NULL, NULL, '{3246857836822534,3261151487983619,3264450022866950}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 3, '{11}', '{6}', '{33}', NULL, NULL, NULL, '{3246857836822531,3264450022866947}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 4, '{11}', '{3}', '{33}', NULL, NULL, NULL, '{3261151487983619}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 5, '{11}', '{3}', NULL, '{3}', NULL, '{6}', '{3279843185655811}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 6, '{11}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 7, '{11}', '{0}', NULL, NULL, '{3}', NULL, '{}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 8, '{11}', '{3}', NULL, '{3}', NULL, '{6}', '{3279843185655811}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 9, '{11}', '{0}', NULL, NULL, '{6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_month VALUES ('2025-01-01 00:00:00+00', 10, '{11}', '{6}', '{30}', NULL, NULL, NULL, '{3246857836822531,3264450022866947}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 1, '{7,9,10}', '{6,6,12}', NULL, '{6,6,12}', NULL, '{12,12,24}', '{2153943278813190,2716893232234502,2998368208945164}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 2, '{7,9,10}', '{15,15,30}', '{96,96,192}', NULL, NULL, NULL, '{2120957929979910,2135251581140995,2138550116024326,2683907883401222,2698201534562307,2701500069445638,2965382860111884,2979676511272966,2982975046156300}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 3, '{7,9,10}', '{6,6,12}', '{33,33,66}', NULL, NULL, NULL, '{2120957929979907,2138550116024323,2683907883401219,2701500069445635,2965382860111878,2982975046156294}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 4, '{7,9,10}', '{3,3,6}', '{33,33,66}', NULL, NULL, NULL, '{2135251581140995,2698201534562307,2979676511272966}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 5, '{7,9,10}', '{3,3,6}', NULL, '{3,3,6}', NULL, '{6,6,12}', '{2153943278813187,2716893232234499,2998368208945158}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 6, '{7,9,10}', '{0,0,0}', NULL, NULL, '{3,3,6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 7, '{7,9,10}', '{0,0,0}', NULL, NULL, '{3,3,6}', NULL, '{}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 8, '{7,9,10}', '{3,3,6}', NULL, '{3,3,6}', NULL, '{6,6,12}', '{2153943278813187,2716893232234499,2998368208945158}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 9, '{7,9,10}', '{0,0,0}', NULL, NULL, '{6,6,12}', NULL, '{}', NULL);
INSERT INTO public.usage_by_month VALUES ('2026-01-01 00:00:00+00', 10, '{7,9,10}', '{6,6,12}', '{30,30,60}', NULL, NULL, NULL, '{2120957929979907,2138550116024323,2683907883401219,2701500069445635,2965382860111878,2982975046156294}', NULL);

INSERT INTO public.usage_series VALUES (1, '01a2203f-9825-75f6-b394-516af05b48b5', '00000000-0000-0000-0000-000000000000', 'other');
INSERT INTO public.usage_series VALUES (2, '01a2203f-9825-75f6-b394-516af05b48b5', '00000000-0000-0000-0000-000000000000', 'some-model');
INSERT INTO public.usage_series VALUES (3, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-996b-7717-9db1-a20025267504', 'some-model');
INSERT INTO public.usage_series VALUES (4, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-99bd-71d5-bb61-e698a906a18e', 'some-model');
INSERT INTO public.usage_series VALUES (5, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-996b-7717-9db1-a20025267504', 'other');
INSERT INTO public.usage_series VALUES (6, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-996b-7717-9db1-a20025267504', '');
INSERT INTO public.usage_series VALUES (7, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-991a-7344-957a-2c0e2c36c7b3', '');
INSERT INTO public.usage_series VALUES (8, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-991a-7344-957a-2c0e2c36c7b3', 'other');
INSERT INTO public.usage_series VALUES (9, '01a2203f-9825-75f6-b394-516af05b48b5', '00000000-0000-0000-0000-000000000000', '');
INSERT INTO public.usage_series VALUES (10, '01a2203f-9825-75f6-b394-516af05b48b5', '01a2203f-991a-7344-957a-2c0e2c36c7b3', 'some-model');

INSERT INTO public.user_identities VALUES ('d831250a-9cfb-4225-832e-c3f03ea34e6b', '01a2203f-9824-70e6-8e9c-9179dcd89e18', 'https://id.example.com', 'ada', '2026-11-28 03:42:52.685+00');

INSERT INTO public.users VALUES ('01a2203f-9824-70e6-8e9c-9179dcd89e18', 'account-1@example.com', 'A member', '$argon2id$v=19$m=19456,t=2,p=1$cWJht0jt1pnLeA72Mrl7Rg$NUCOF7uMPtV58awhzo+F7a88cIPKIq2BaTkfKs5y9Jw', '2026-11-28 03:42:48.369+00', '2026-11-28 03:42:48.369+00', NULL, NULL, NULL);

SELECT pg_catalog.setval('public.migrations_id_seq', 32, true);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT "PK_25d28bd932097a9e90495ede7b4" PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT "PK_3238ef96f18b355b671619111bc" PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "PK_5c8a79801b44bd27b79228e1dad" PRIMARY KEY (id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT "PK_5dec98cfdfd562e4ad3648bbb07" PRIMARY KEY (id);

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT "PK_6b031fcd0863e3f6b44230163f9" PRIMARY KEY (id);

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT "PK_910f64d901a5c3e9878f0d4a407" PRIMARY KEY (id);

ALTER TABLE ONLY public.deleted_api_keys
    ADD CONSTRAINT "PK_94027d66addd5538157bd3ae705" PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT "PK_a3ffb1c0c8416b9fc6f907b7433" PRIMARY KEY (id);

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT "PK_c1433d71a4838793a49dcad46ab" PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT "PK_c4c4dde87e60b16dad3ee9cb190" PRIMARY KEY (hash);

ALTER TABLE ONLY public.provisioned_memberships
    ADD CONSTRAINT "PK_c8369bf30212944006ccbab1ad9" PRIMARY KEY (user_id, organization_id);

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT "PK_e23bff04e9c3e7b785e442b262c" PRIMARY KEY (id);

ALTER TABLE ONLY public.service_accounts
    ADD CONSTRAINT "PK_e2fb216fdc1db94c5e4da7d88fa" PRIMARY KEY (id);

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT "PK_e70e7e6704a5465676a78f3a8f7" PRIMARY KEY (organization_id, hour, api_key_id, model, latency_bucket);

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT "PK_f7a4c3bc48f24df007936d217be" PRIMARY KEY (user_id);

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT "UQ_30e43d5623aba16f806fc50cb99" UNIQUE (issuer, subject);

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT "UQ_323290a9239ad3d397ad78018ec" UNIQUE (token_hash);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT "UQ_3afc80b5ecc0276428da3e3a87f" UNIQUE (organization_id, email);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "UQ_57384430aa1959f4578046c9b81" UNIQUE (key_hash);

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT "UQ_67a7601fcd0a929b6e2a186412d" UNIQUE (user_id, issuer);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT "UQ_872ac94a64b3d44fc4b554780cd" UNIQUE (token_hash);

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT "UQ_8bdcf7999d2e71031da1f4869a6" UNIQUE (organization_id, name);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT "UQ_97672ac88f789774dd47f7c8be3" UNIQUE (email);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT "UQ_d43d9c8d18fcd49de0fa44bbd79" UNIQUE (user_id, organization_id);

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT "UQ_fbceaa5b4ae0c529989e0fd3303" UNIQUE (organization_id, id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT "UQ_fcc8717b658155a0bcd541c0da5" UNIQUE (family_hash);

ALTER TABLE ONLY public.database_history
    ADD CONSTRAINT database_history_pkey PRIMARY KEY (beat);

ALTER TABLE ONLY public.database_identity
    ADD CONSTRAINT database_identity_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.failed_requests
    ADD CONSTRAINT failed_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.failure_counts
    ADD CONSTRAINT failure_counts_pkey PRIMARY KEY (organization_id, hour, api_key_id, model, status, code);

ALTER TABLE ONLY public.limit_counters
    ADD CONSTRAINT limit_counters_pkey PRIMARY KEY (owner_id, metric, per);

ALTER TABLE ONLY public.logout_tokens
    ADD CONSTRAINT logout_tokens_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.provider_logouts
    ADD CONSTRAINT provider_logouts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.usage_by_day
    ADD CONSTRAINT usage_by_day_pkey PRIMARY KEY (series_id, start);

ALTER TABLE ONLY public.usage_by_hour
    ADD CONSTRAINT usage_by_hour_pkey PRIMARY KEY (series_id, start);

ALTER TABLE ONLY public.usage_by_month
    ADD CONSTRAINT usage_by_month_pkey PRIMARY KEY (series_id, start);

ALTER TABLE ONLY public.usage_series
    ADD CONSTRAINT usage_series_by_key UNIQUE (organization_id, api_key_id, model);

ALTER TABLE ONLY public.usage_series
    ADD CONSTRAINT usage_series_pkey PRIMARY KEY (id);

CREATE INDEX api_keys_by_creating_service_account ON public.api_keys USING btree (created_by_service_account_id) WHERE (created_by_service_account_id IS NOT NULL);

CREATE INDEX api_keys_by_creation ON public.api_keys USING btree (organization_id, created_at, id);

CREATE INDEX api_keys_by_creator ON public.api_keys USING btree (created_by_id);

CREATE INDEX api_keys_by_expiry ON public.api_keys USING btree (organization_id, expires_at, id);

CREATE INDEX api_keys_by_name ON public.api_keys USING btree (organization_id, folded_name, id);

CREATE UNIQUE INDEX api_keys_by_previous_hash ON public.api_keys USING btree (previous_key_hash) WHERE (previous_key_hash IS NOT NULL);

CREATE INDEX audit_events_by_action ON public.audit_events USING btree (organization_id, action, occurred_at, id);

CREATE INDEX audit_events_by_actor ON public.audit_events USING btree (organization_id, actor_id, occurred_at, id);

CREATE INDEX audit_events_by_actor_email ON public.audit_events USING btree (organization_id, actor_email, occurred_at, id);

CREATE INDEX audit_events_by_target ON public.audit_events USING btree (organization_id, target_id, occurred_at, id);

CREATE INDEX audit_events_by_target_hint ON public.audit_events USING btree (organization_id, target_hint, occurred_at, id) WHERE (target_hint IS NOT NULL);

CREATE INDEX audit_events_by_target_kind ON public.audit_events USING btree (organization_id, target_kind, occurred_at, id);

CREATE INDEX audit_events_by_time ON public.audit_events USING btree (organization_id, occurred_at, id);

CREATE UNIQUE INDEX database_identity_one_row ON public.database_identity USING btree ((true));

CREATE INDEX deleted_api_keys_by_organization ON public.deleted_api_keys USING btree (organization_id);

CREATE INDEX failed_requests_by_key ON public.failed_requests USING btree (api_key_id, occurred_at);

CREATE INDEX failed_requests_by_organization ON public.failed_requests USING btree (organization_id);

CREATE INDEX failed_requests_by_time ON public.failed_requests USING btree (occurred_at);

CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);

CREATE INDEX idempotency_keys_by_organization ON public.idempotency_keys USING btree (organization_id);

CREATE INDEX invitations_by_creation ON public.invitations USING btree (organization_id, created_at, id);

CREATE INDEX invitations_by_inviter ON public.invitations USING btree (invited_by_id);

CREATE INDEX invitations_by_role ON public.invitations USING btree (organization_id, role_id);

CREATE INDEX limit_counters_by_organization ON public.limit_counters USING btree (organization_id);

CREATE INDEX memberships_by_joining ON public.memberships USING btree (organization_id, created_at, id);

CREATE INDEX memberships_by_role ON public.memberships USING btree (organization_id, role_id);

CREATE INDEX provider_logouts_by_session ON public.provider_logouts USING btree (session_hash);

CREATE INDEX provider_logouts_by_subject ON public.provider_logouts USING btree (subject_hash);

CREATE INDEX provisioned_memberships_by_organization ON public.provisioned_memberships USING btree (organization_id);

CREATE INDEX service_accounts_by_creation ON public.service_accounts USING btree (organization_id, created_at, id);

CREATE INDEX service_accounts_by_role ON public.service_accounts USING btree (organization_id, role_id);

CREATE INDEX sessions_by_organization ON public.sessions USING btree (organization_id);

CREATE INDEX sessions_by_provider_session ON public.sessions USING btree (issuer, provider_session_id) WHERE (provider_session_id IS NOT NULL);

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);

CREATE TRIGGER audit_events_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_change_audit_events();

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT "FK_085d540d9f418cfbdc7bd55bb19" FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT "FK_12d9576ef013c5bd4eead32afd0" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_by_day
    ADD CONSTRAINT "FK_139d77b869667a286a737b91994" FOREIGN KEY (series_id) REFERENCES public.usage_series(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.deleted_api_keys
    ADD CONSTRAINT "FK_3060d6b928960c08717a28157a2" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "FK_32525ed669aec37dcabe4dc214b" FOREIGN KEY (created_by_service_account_id) REFERENCES public.service_accounts(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.provisioned_memberships
    ADD CONSTRAINT "FK_3261f7d42374c133023b7476e23" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "FK_3afd227c6cb003779abe2a88b4e" FOREIGN KEY (created_by_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT "FK_42d1dbb4d85dc3643fdc6560af0" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_by_hour
    ADD CONSTRAINT "FK_4b792f1475c7dd9ce3826c013ab" FOREIGN KEY (series_id) REFERENCES public.usage_series(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.provisioned_memberships
    ADD CONSTRAINT "FK_575fc8db37d99f5dc95c053f3f5" FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT "FK_6510e4bf7423cd3d750e8c2ae81" FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.limit_counters
    ADD CONSTRAINT "FK_6545e012be97838ad5dbfc8467a" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_series
    ADD CONSTRAINT "FK_77712dd37c704bef97584ff4ccd" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT "FK_7c1e2fdfed4f6838e0c05ae5051" FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT "FK_89a3e1b70d2c9ced6b685b50380" FOREIGN KEY (role_id, organization_id) REFERENCES public.roles(id, organization_id);

ALTER TABLE ONLY public.failure_counts
    ADD CONSTRAINT "FK_9ad9dbcab3478c2b3f0a9a03b9a" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "FK_a283bdef18876e525aefaec042f" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_by_month
    ADD CONSTRAINT "FK_a3c9c659c00b9a2fd41449c8b57" FOREIGN KEY (series_id) REFERENCES public.usage_series(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT "FK_a9e3486bb3e8509466d4c9d6c93" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.service_accounts
    ADD CONSTRAINT "FK_aaa150988c3c497e5087a94273f" FOREIGN KEY (organization_id, role_id) REFERENCES public.roles(organization_id, id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT "FK_bba066d3f17b83c3663f44bb471" FOREIGN KEY (role_id, organization_id) REFERENCES public.roles(id, organization_id);

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT "FK_bf5fe01eb8cad7114b4c371cdc7" FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT "FK_c328a1ecd12a5f153a96df4509e" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.failed_requests
    ADD CONSTRAINT "FK_d0ff11242f8a59aa2c7c5ff5cee" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT "FK_d4de0403dd012cf87b430af70ef" FOREIGN KEY (invited_by_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT "FK_e253d6d4b013b6480f45693471e" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT "FK_e5380c394ec7912046d07b54290" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.service_accounts
    ADD CONSTRAINT "FK_ec5d48b8cb04b1a581453edee94" FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT "FK_f7a4c3bc48f24df007936d217be" FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

REVOKE UPDATE, DELETE, TRUNCATE ON TABLE public.audit_events FROM CURRENT_USER;
REVOKE ALL ON FUNCTION public.delete_old_audit_events(retention_days integer, max_count integer) FROM PUBLIC;
