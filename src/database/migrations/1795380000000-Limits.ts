import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Requests only ever lock counters, in the order of their primary key; administrators never lock those in use. So an
 * administrator's transaction can't delay requests, and requests can't deadlock.
 */
export class Limits1795380000000 implements MigrationInterface {
  name = 'Limits1795380000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
                ADD "limits" jsonb,
                ADD "organization_limited" boolean NOT NULL DEFAULT false
        `);
    await queryRunner.query(`ALTER TABLE "organizations" ADD "limits" jsonb`);
    await queryRunner.query(`ALTER TABLE "usage" ADD "limited" bigint NOT NULL DEFAULT 0`);
    await queryRunner.query(`
            CREATE TABLE "limit_counters" (
                "owner_id" uuid NOT NULL,
                "metric" text NOT NULL,
                "per" text NOT NULL,
                "organization_id" uuid NOT NULL,
                "level" double precision NOT NULL DEFAULT 0,
                "level_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
                "reserved" bigint NOT NULL DEFAULT 0,
                "reserved_before" bigint NOT NULL DEFAULT 0,
                "generation" bigint NOT NULL DEFAULT 0,
                CONSTRAINT "limit_counters_pkey" PRIMARY KEY ("owner_id", "metric", "per"),
                CONSTRAINT "FK_6545e012be97838ad5dbfc8467a"
                    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE
            ) WITH (fillfactor = 50)
        `);
    await queryRunner.query(`CREATE INDEX "limit_counters_by_organization" ON "limit_counters" ("organization_id")`);
    for (const statement of functions) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION "settle_usage"(json)`);
    await queryRunner.query(`DROP FUNCTION "admit_requests"("admission_ask"[])`);
    await queryRunner.query(`DROP TYPE "admission_ask"`);
    await queryRunner.query(`DROP FUNCTION "limits_of"(uuid[], uuid[])`);
    await queryRunner.query(`DROP FUNCTION "limit_generation"(timestamptz)`);
    await queryRunner.query(`DROP FUNCTION "limit_level"(text, bigint, double precision, timestamptz, timestamptz)`);
    await queryRunner.query(`DROP TABLE "limit_counters"`);
    await queryRunner.query(`ALTER TABLE "usage" DROP COLUMN "limited"`);
    await queryRunner.query(`ALTER TABLE "organizations" DROP COLUMN "limits"`);
    await queryRunner.query(`
            ALTER TABLE "api_keys"
                DROP COLUMN "organization_limited",
                DROP COLUMN "limits"
        `);
  }
}

const functions = [
  /*
   * What a counter has reached at a time. Budgets start at zero with each UTC day or month. The others are GCRA in its
   * form as a continuous-state leaky bucket (ITU-T I.371, annex A): the level sinks by the maximum once per period.
   */
  `CREATE FUNCTION "limit_level"(
      per text, max bigint, level double precision, level_at timestamptz, at timestamptz
   ) RETURNS double precision LANGUAGE sql STABLE AS $$
     SELECT CASE per
       WHEN 'day' THEN CASE WHEN level_at >= date_trunc('day', at, 'UTC') THEN level ELSE 0 END
       WHEN 'month' THEN CASE WHEN level_at >= date_trunc('month', at, 'UTC') THEN level ELSE 0 END
       ELSE greatest(0, level - greatest(0, extract(epoch FROM at - level_at)::double precision) * max
         / CASE per WHEN 'second' THEN 1 WHEN 'minute' THEN 60 ELSE 3600 END)
     END
   $$`,
  /*
   * Reservations belong to the 150 seconds in which they were made, and count in the next 150 as well. Then they have
   * expired, after at most five minutes.
   */
  `CREATE FUNCTION "limit_generation"(at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
     SELECT floor(extract(epoch FROM at) / 150)::bigint
   $$`,
  `CREATE FUNCTION "limits_of"(key_ids uuid[], organization_ids uuid[])
   RETURNS TABLE (owner_id uuid, metric text, per text, max bigint) LANGUAGE sql STABLE AS $$
     SELECT owner.id, def.metric, def.per, def.max
     FROM (
       SELECT id, limits FROM api_keys WHERE id = ANY (key_ids) AND limits IS NOT NULL
       UNION ALL
       SELECT id, limits FROM organizations WHERE id = ANY (organization_ids) AND limits IS NOT NULL
     ) AS owner
     CROSS JOIN LATERAL jsonb_to_recordset(owner.limits) AS def (metric text, per text, max bigint)
   $$`,
  /*
   * A request that asks to be admitted, or, with zero requests, to hold other amounts. It asks for exact amounts, or for
   * as much of them as is left, at least one. Until then it holds amounts from a generation.
   */
  `CREATE TYPE "admission_ask" AS (
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
   )`,
  /*
   * Admits requests in order, each of them if it fits all limits of its key and its organization. Returns JSON:
   * - generation: that of the reservations
   * - admitted: position, reserved tokens and reserved pages of each admitted request
   * - limits: owner, metric, period, maximum and what is used, afterwards
   */
  `CREATE FUNCTION "admit_requests"(asks admission_ask[]) RETURNS json LANGUAGE plpgsql AS $$
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
   $$`,
  /*
   * Replaces what ended requests hold by what they used. Takes JSON: an array of objects with keyId, organizationId,
   * requests (the number to add), tokens, pages, generation, heldTokens and heldPages.
   */
  `CREATE FUNCTION "settle_usage"(settlements json) RETURNS void LANGUAGE plpgsql AS $$
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
   $$`,
];
