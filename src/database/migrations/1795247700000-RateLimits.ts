import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RateLimits1795247700000 implements MigrationInterface {
  name = 'RateLimits1795247700000';

  /** Columns as `rate-limiter-flexible` expects them; without a migration, it would create the table itself. */
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "rate_limits" (
                "key" varchar(255) NOT NULL,
                "points" integer NOT NULL DEFAULT 0,
                "expire" bigint,
                CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
            )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "rate_limits"`);
  }
}
