import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The statements that fill these tables are in src/usage/history. */
export class UsageHistory1795412300000 implements MigrationInterface {
  name = 'UsageHistory1795412300000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "usage_series" (
                "id" integer NOT NULL,
                "organization_id" uuid NOT NULL,
                "api_key_id" uuid NOT NULL,
                "model" text COLLATE "C" NOT NULL,
                CONSTRAINT "usage_series_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "usage_series_by_key" UNIQUE ("organization_id", "api_key_id", "model"),
                CONSTRAINT "FK_77712dd37c704bef97584ff4ccd"
                    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE
            )
        `);
    for (const [table, foreignKey] of [
      ['usage_history', 'FK_7144bb59552cd827ba2a87184a3'],
      ['usage_months', 'FK_227ca828e2d071954dac21bef01'],
    ] as const) {
      await queryRunner.query(`
            CREATE TABLE "${table}" (
                "start" TIMESTAMP WITH TIME ZONE NOT NULL,
                "requests" bigint NOT NULL,
                "input_tokens" bigint NOT NULL,
                "failures" bigint,
                "limited" bigint,
                "pages" bigint,
                "series_id" integer NOT NULL,
                "latencies" integer[] NOT NULL,
                CONSTRAINT "${table}_pkey" PRIMARY KEY ("series_id", "start"),
                CONSTRAINT "${foreignKey}"
                    FOREIGN KEY ("series_id") REFERENCES "usage_series"("id") ON DELETE CASCADE
            )
        `);
    }
    // The rows of the current month are updated every hour.
    await queryRunner.query(`ALTER TABLE "usage_months" SET (fillfactor = 70)`);
    await queryRunner.query(addLatencies);
    await queryRunner.query(allowRetention);
    const [{ schema }] = (await queryRunner.query('SELECT current_schema() AS schema')) as [{ schema: string }];
    await queryRunner.query(deleteOldAuditEvents(`"${schema}"."audit_events"`));
    await queryRunner.query(`REVOKE EXECUTE ON FUNCTION "delete_old_audit_events"(integer, integer) FROM PUBLIC`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION "delete_old_audit_events"(integer, integer)`);
    await queryRunner.query(rejectAll);
    await queryRunner.query(moveBack);
    await queryRunner.query(`DROP TABLE "usage_months"`);
    await queryRunner.query(`DROP TABLE "usage_history"`);
    await queryRunner.query(`DROP TABLE "usage_series"`);
    await queryRunner.query(`DROP FUNCTION "add_latencies"(integer[], integer[])`);
  }
}

/** Adds the requests of equal buckets. */
const addLatencies = `
  CREATE FUNCTION "add_latencies"(one integer[], other integer[]) RETURNS integer[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(ARRAY[bucket, requests] ORDER BY bucket), '{}')
    FROM (
      SELECT bucket, least(sum(requests), 2147483647)::integer AS requests
      FROM (
        SELECT one[i][1], one[i][2] FROM generate_subscripts(one, 1) AS i
        UNION ALL
        SELECT other[i][1], other[i][2] FROM generate_subscripts(other, 1) AS i
      ) AS counted (bucket, requests)
      GROUP BY bucket HAVING sum(requests) <> 0
    ) AS added
  $$`;

/** Sums are added to the first bucket; requests that a limit rejected have none. */
const moveBack = `
  INSERT INTO usage (
    organization_id, hour, api_key_id, model, latency_bucket,
    requests, failures, limited, input_tokens, pages, microseconds
  )
  SELECT organization_id, start, api_key_id, model, coalesce(latencies[i][1], 0),
    coalesce(latencies[i][2], 0),
    CASE WHEN coalesce(i, 1) = 1 THEN coalesce(failures, 0) ELSE 0 END,
    CASE WHEN coalesce(i, 1) = 1 THEN coalesce(limited, 0) ELSE 0 END,
    CASE WHEN coalesce(i, 1) = 1 THEN input_tokens ELSE 0 END,
    CASE WHEN coalesce(i, 1) = 1 THEN coalesce(pages, 0) ELSE 0 END,
    0
  FROM usage_history JOIN usage_series ON id = series_id
  LEFT JOIN LATERAL generate_subscripts(latencies, 1) AS i ON true
  WHERE api_key_id <> '00000000-0000-0000-0000-000000000000'
  ON CONFLICT (organization_id, hour, api_key_id, model, latency_bucket) DO UPDATE SET
    requests = usage.requests + excluded.requests,
    failures = usage.failures + excluded.failures,
    limited = usage.limited + excluded.limited,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    pages = usage.pages + excluded.pages`;

const rejectAll = `
  CREATE OR REPLACE FUNCTION "refuse_to_change_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
      RAISE EXCEPTION 'Audit events cannot be changed or deleted.' USING ERRCODE = 'insufficient_privilege';
  END $$`;

/** Guards against mistakes, not against the owner of the table, who could drop the trigger; see docs/audit.md. */
const allowRetention = `
  CREATE OR REPLACE FUNCTION "refuse_to_change_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
      IF TG_OP = 'DELETE' AND current_setting('keycard.deletes_old_audit_events', true) = 'on' THEN
          RETURN NULL;
      END IF;
      RAISE EXCEPTION 'Audit events cannot be changed or deleted.' USING ERRCODE = 'insufficient_privilege';
  END $$`;

/**
 * Deletes a batch of audit events older than a number of days, at least 30, with the rights of the owner of the table,
 * which only has the right to delete in here. UUIDs v7 of events are in the order of their times, except for the
 * difference between clocks, so the primary key finds old events.
 */
const deleteOldAuditEvents = (table: string) => `
  CREATE FUNCTION "delete_old_audit_events"(retention_days integer, max_count integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
      cutoff timestamptz := now() - make_interval(days => greatest(retention_days, 30));
      last_id uuid := rpad(lpad(to_hex((extract(epoch FROM cutoff + interval '1 day') * 1000)::bigint), 12, '0'), 32, 'f')::uuid;
      deleted integer;
  BEGIN
      IF NOT EXISTS (SELECT FROM ${table} WHERE id <= last_id AND occurred_at < cutoff) THEN
          RETURN 0;
      END IF;
      PERFORM set_config('keycard.deletes_old_audit_events', 'on', true);
      GRANT DELETE ON ${table} TO CURRENT_USER;
      DELETE FROM ${table} WHERE id IN (
          SELECT id FROM ${table} WHERE id <= last_id AND occurred_at < cutoff ORDER BY id LIMIT max_count
      );
      GET DIAGNOSTICS deleted = ROW_COUNT;
      REVOKE DELETE ON ${table} FROM CURRENT_USER;
      PERFORM set_config('keycard.deletes_old_audit_events', 'off', true);
      RETURN deleted;
  END $$`;
