import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Renews and settles what requests have reserved with the functions of the previous migration. */
export class SettleReservations1795506000000 implements MigrationInterface {
  name = 'SettleReservations1795506000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of functions) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION "settle_requests"(json)`);
    await queryRunner.query(`DROP FUNCTION "renew_reservations"(json)`);
    await queryRunner.query(
      `DROP FUNCTION "limit_refund"(text, bigint, double precision, double precision, timestamptz, timestamptz)`,
    );
  }
}

const functions = [
  /*
   * The part of a refund that a refilled limit still holds: what has leaked away since it was charged can't be given
   * back, or it would be capacity out of nothing.
   */
  `CREATE FUNCTION "limit_refund"(
      per text, max bigint, charged double precision, used double precision, charged_at timestamptz, at timestamptz
   ) RETURNS double precision LANGUAGE sql STABLE AS $$
     SELECT greatest(0, least(charged - used,
       charged - greatest(0, extract(epoch FROM at - charged_at)::double precision) * max
         / CASE per WHEN 'second' THEN 1 WHEN 'minute' THEN 60 ELSE 3600 END))
   $$`,
  /*
   * Moves reservations of running requests to the current generation, which it returns. Takes JSON: an array of objects
   * with keyId, organizationId, tokens, pages, generation and reservedAt.
   */
  `CREATE FUNCTION "renew_reservations"(reservations json) RETURNS bigint LANGUAGE plpgsql AS $$
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
   $$`,
  /*
   * Settles requests that have ended. Takes JSON: an array of objects with
   * - keyId, organizationId
   * - countedAt: when the request was counted, in milliseconds since 1970, and isRefunded: whether it doesn't count
   * - reservedAt, generation: null without a reservation
   * - heldTokens, heldPages: what budgets reserve; chargedTokens, chargedPages: what the other limits have charged
   * - tokens, pages: what was used; null if that's unknown, and as much as was reserved is charged
   * What belongs to a budget's earlier period changes nothing.
   */
  `CREATE FUNCTION "settle_requests"(settlements json) RETURNS void LANGUAGE plpgsql AS $$
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
   $$`,
];
