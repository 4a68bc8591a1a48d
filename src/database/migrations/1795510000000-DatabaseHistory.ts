import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets replicas recognize a database that has lost changes it confirmed. */
export class DatabaseHistory1795510000000 implements MigrationInterface {
  name = 'DatabaseHistory1795510000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "database_identity" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "generation" bigint NOT NULL DEFAULT 0,
                "lost_at" TIMESTAMP WITH TIME ZONE,
                CONSTRAINT "database_identity_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`CREATE UNIQUE INDEX "database_identity_one_row" ON "database_identity" ((true))`);
    await queryRunner.query(`INSERT INTO "database_identity" DEFAULT VALUES`);
    await queryRunner.query(`
            CREATE TABLE "database_history" (
                "beat" bigint NOT NULL,
                "token" uuid NOT NULL,
                "written_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
                "server_started_at" TIMESTAMP WITH TIME ZONE NOT NULL,
                "serving_since" TIMESTAMP WITH TIME ZONE,
                CONSTRAINT "database_history_pkey" PRIMARY KEY ("beat")
            )
        `);
    for (const [subject, text] of comments) await queryRunner.query(`COMMENT ON ${subject} IS '${text}'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "database_history"`);
    await queryRunner.query(`DROP TABLE "database_identity"`);
  }
}

const comments = [
  ['TABLE "database_identity"', 'One row about this database'],
  ['COLUMN "database_identity"."generation"', 'Increased each time an operator accepts a history that lacks rows'],
  ['COLUMN "database_identity"."lost_at"', 'When a replica first missed a row that it had seen'],
  [
    'TABLE "database_history"',
    'A row per second while replicas run. A database without a row that was confirmed has gone back in time',
  ],
  ['COLUMN "database_history"."token"', 'Random, so that two databases with a common past write different rows'],
  ['COLUMN "database_history"."server_started_at"', 'Identifies the server process that wrote the row'],
  [
    'COLUMN "database_history"."serving_since"',
    'When this server process wrote its first row; null for the first server of the database',
  ],
] as const;
