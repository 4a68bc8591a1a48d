import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replaces rows per hour or day by rows with arrays; see src/usage/history. */
export class PackedUsage1795430000000 implements MigrationInterface {
  name = 'PackedUsage1795430000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, foreignKey, period, slot } of tables) {
      await queryRunner.query(`
            CREATE TABLE "${name}" (
                "start" TIMESTAMP WITH TIME ZONE NOT NULL,
                "series_id" integer NOT NULL,
                "slots" smallint array NOT NULL,
                "requests" bigint array NOT NULL,
                "input_tokens" bigint array,
                "failures" bigint array,
                "limited" bigint array,
                "pages" bigint array,
                "latencies" bigint array NOT NULL,
                CONSTRAINT "${name}_pkey" PRIMARY KEY ("series_id", "start"),
                CONSTRAINT "${foreignKey}"
                    FOREIGN KEY ("series_id") REFERENCES "usage_series"("id") ON DELETE CASCADE
            )
        `);
      await queryRunner.query(pack(name, period, slot));
    }
    // Days that were kept as a whole have no hours.
    await queryRunner.query(`DELETE FROM usage_by_hour WHERE start < ${firstHourlyDay}`);
    await queryRunner.query(`DROP TABLE "usage_months"`);
    await queryRunner.query(`DROP TABLE "usage_history"`);
    await queryRunner.query(`DROP FUNCTION "add_latencies"(integer[], integer[])`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(addLatencies);
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
    await queryRunner.query(`ALTER TABLE "usage_months" SET (fillfactor = 70)`);
    const hour = `start + slot * interval '1 hour'`;
    const day = `start + slot * interval '24 hours'`;
    const month = `(start AT TIME ZONE 'UTC' + slot * interval '1 month') AT TIME ZONE 'UTC'`;
    await queryRunner.query(unpack('usage_history', 'usage_by_hour', hour, `start >= ${firstHourlyDay}`));
    await queryRunner.query(
      unpack('usage_history', 'usage_by_day', `${day} + interval '10 hours'`, `${day} < ${firstHourlyDay}`),
    );
    await queryRunner.query(unpack('usage_months', 'usage_by_month', month, 'true'));
    for (const { name } of tables) await queryRunner.query(`DROP TABLE "${name}"`);
  }
}

const firstHourlyDay = `date_trunc('day', now() - interval '35 days', 'UTC')`;

const tables = [
  {
    name: 'usage_by_hour',
    foreignKey: 'FK_4b792f1475c7dd9ce3826c013ab',
    period: 'day',
    slot: `extract(hour FROM start AT TIME ZONE 'UTC')`,
  },
  {
    name: 'usage_by_day',
    foreignKey: 'FK_139d77b869667a286a737b91994',
    period: 'month',
    slot: `extract(day FROM start AT TIME ZONE 'UTC') - 1`,
  },
  {
    name: 'usage_by_month',
    foreignKey: 'FK_a3c9c659c00b9a2fd41449c8b57',
    period: 'year',
    slot: `extract(month FROM start AT TIME ZONE 'UTC') - 1`,
  },
];

const pack = (table: string, period: string, slot: string) => {
  const orNull = (column: string) =>
    `CASE WHEN bool_or(bucket IS NULL AND ${column} <> 0) THEN array_agg(${column} ORDER BY slot) FILTER (WHERE bucket IS NULL) END`;
  return `
  INSERT INTO ${table} (start, series_id, slots, requests, input_tokens, failures, limited, pages, latencies)
  SELECT period, series_id, array_agg(slot ORDER BY slot) FILTER (WHERE bucket IS NULL),
    array_agg(requests ORDER BY slot) FILTER (WHERE bucket IS NULL),
    ${orNull('input_tokens')}, ${orNull('failures')}, ${orNull('limited')}, ${orNull('pages')},
    coalesce(
      array_agg(((slot::bigint << 8) + bucket + 128 << 40) + requests ORDER BY slot, bucket) FILTER (WHERE bucket IS NOT NULL),
      '{}'
    )
  FROM (
    SELECT period, series_id, slot, bucket, sum(requests)::bigint AS requests, sum(input_tokens)::bigint AS input_tokens,
      sum(failures)::bigint AS failures, sum(limited)::bigint AS limited, sum(pages)::bigint AS pages
    FROM (
      SELECT date_trunc('${period}', start, 'UTC') AS period, series_id, (${slot})::smallint AS slot, part.*
      FROM usage_history CROSS JOIN LATERAL (
        SELECT NULL::integer, requests, input_tokens, coalesce(failures, 0), coalesce(limited, 0), coalesce(pages, 0)
        UNION ALL
        SELECT latencies[i][1], latencies[i][2], 0, 0, 0, 0 FROM generate_subscripts(latencies, 1) AS i
      ) AS part (bucket, requests, input_tokens, failures, limited, pages)
    ) AS parts
    GROUP BY period, series_id, slot, bucket
  ) AS sums
  GROUP BY period, series_id
  ORDER BY period, series_id`;
};

const unpack = (table: string, source: string, time: string, condition: string) => `
  INSERT INTO ${table} (start, requests, input_tokens, failures, limited, pages, series_id, latencies)
  SELECT ${time}, sums.requests, coalesce(sums.input_tokens, 0), nullif(sums.failures, 0), nullif(sums.limited, 0),
    nullif(sums.pages, 0), series_id,
    coalesce((
      SELECT array_agg(ARRAY[(latency >> 40 & 255)::integer - 128, least(latency & (1::bigint << 40) - 1, 2147483647)::integer] ORDER BY latency)
      FROM unnest(latencies) AS latency WHERE latency >> 48 = slot
    ), '{}')
  FROM ${source} AS packed
  CROSS JOIN LATERAL unnest(slots, packed.requests, packed.input_tokens, packed.failures, packed.limited, packed.pages)
    AS sums (slot, requests, input_tokens, failures, limited, pages)
  WHERE ${condition}`;

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
