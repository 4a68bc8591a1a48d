import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests are counted when they arrive, and reserve tokens and pages once their body and model are known. The functions
 * of the previous release stay, for its replicas.
 *
 * As before, requests lock counters in the order of their primary key, so they can't deadlock.
 */
export class ReserveOnceKnown1795505000000 implements MigrationInterface {
  name = 'ReserveOnceKnown1795505000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "limit_counters"
                ADD "estimated" double precision NOT NULL DEFAULT 0,
                ADD "waiters" jsonb NOT NULL DEFAULT '{}'
        `);
    await queryRunner.query(`ALTER TABLE "usage" ADD "estimated" bigint NOT NULL DEFAULT 0`);
    for (const table of historyTables) await queryRunner.query(`ALTER TABLE "${table}" ADD "estimated" bigint ARRAY`);
    for (const statement of functions) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION "reserve_usage"("usage_ask"[])`);
    await queryRunner.query(`DROP TYPE "usage_ask"`);
    await queryRunner.query(`DROP FUNCTION "count_one_by_one"(uuid[], text[], bigint[], "arrival_ask"[])`);
    await queryRunner.query(`DROP TYPE "arrival_ask"`);
    await queryRunner.query(`DROP FUNCTION "limit_reserved"(text, bigint, bigint, bigint, timestamptz, timestamptz)`);
    await queryRunner.query(`DROP FUNCTION "is_in_limit_period"(text, timestamptz, timestamptz)`);
    for (const table of historyTables) await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "estimated"`);
    await queryRunner.query(`ALTER TABLE "usage" DROP COLUMN "estimated"`);
    await queryRunner.query(`
            ALTER TABLE "limit_counters"
                DROP COLUMN "waiters",
                DROP COLUMN "estimated"
        `);
  }
}

const historyTables = ['usage_by_hour', 'usage_by_day', 'usage_by_month'];

const functions = [
  /* Whether a budget's period hasn't changed since a time. The other limits have no periods. */
  `CREATE FUNCTION "is_in_limit_period"(per text, since timestamptz, at timestamptz) RETURNS boolean
   LANGUAGE sql STABLE AS $$
     SELECT CASE per WHEN 'day' THEN since >= date_trunc('day', at, 'UTC')
       WHEN 'month' THEN since >= date_trunc('month', at, 'UTC') ELSE true END
   $$`,
  /* What running requests reserve of a budget. Reservations end with the period. */
  `CREATE FUNCTION "limit_reserved"(
      per text, reserved bigint, reserved_before bigint, generation bigint, level_at timestamptz, at timestamptz
   ) RETURNS bigint LANGUAGE sql STABLE AS $$
     SELECT CASE WHEN NOT is_in_limit_period(per, level_at, at) THEN 0
       ELSE CASE WHEN generation >= limit_generation(at) - 1 THEN reserved ELSE 0 END
         + CASE WHEN generation >= limit_generation(at) THEN reserved_before ELSE 0 END END
   $$`,
  /* A request that arrives, and whether it will use tokens or pages. Some must be left. */
  `CREATE TYPE "arrival_ask" AS ("position" integer, key_id uuid, organization_id uuid, tokens boolean, pages boolean)`,
  /*
   * Takes back what the same transaction has just counted, and counts requests one by one, in order: each of them if it
   * fits all limits of its key and its organization. Returns JSON:
   * - at: milliseconds since 1970
   * - admitted: positions
   * - limits: owner, metric, period, maximum, charged and reserved, afterwards
   */
  `CREATE FUNCTION "count_one_by_one"(
      owner_ids uuid[], counted_periods text[], amounts bigint[], asks arrival_ask[]
   ) RETURNS json LANGUAGE plpgsql AS $$
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
   $$`,
  /*
   * A request that asks for the most tokens and pages it can use. Estimates are what refilled limits charge instead, and
   * null if the amounts are exact. A request that has waited says since when, in microseconds since 1970, and whether it
   * gives up if it has to wait any longer.
   */
  `CREATE TYPE "usage_ask" AS (
     "position" integer,
     key_id uuid,
     organization_id uuid,
     tokens bigint,
     pages bigint,
     estimated_tokens bigint,
     estimated_pages bigint,
     waiting_since bigint,
     is_last_attempt boolean
   )`,
  /*
   * Decides about requests in order. Budgets hold a reservation until the request is settled; the other limits charge
   * now, so that their rate holds. A request that doesn't fit a budget only because of reservations waits, and no later
   * one overtakes it: the counter remembers the longest-waiting requests for half a second after each of their attempts.
   * Returns JSON:
   * - at: milliseconds since 1970
   * - generation: that of the reservations
   * - reserved: positions
   * - waiting: positions, each with the time since when
   * - limits: owner, metric, period, maximum, charged and reserved, afterwards
   */
  `CREATE FUNCTION "reserve_usage"(asks usage_ask[]) RETURNS json LANGUAGE plpgsql AS $$
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
   $$`,
];
