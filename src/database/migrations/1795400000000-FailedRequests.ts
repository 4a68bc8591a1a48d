import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FailedRequests1795400000000 implements MigrationInterface {
  name = 'FailedRequests1795400000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "failed_requests" (
                "id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "api_key_id" uuid NOT NULL,
                "occurred_at" TIMESTAMP WITH TIME ZONE NOT NULL,
                "route" text NOT NULL,
                "model" text NOT NULL,
                "status" smallint NOT NULL,
                "code" text NOT NULL,
                "request_id" text NOT NULL,
                "address" text,
                CONSTRAINT "failed_requests_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "FK_d0ff11242f8a59aa2c7c5ff5cee"
                    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`CREATE INDEX "failed_requests_by_key" ON "failed_requests" ("api_key_id", "occurred_at")`);
    await queryRunner.query(`CREATE INDEX "failed_requests_by_time" ON "failed_requests" ("occurred_at")`);
    await queryRunner.query(`CREATE INDEX "failed_requests_by_organization" ON "failed_requests" ("organization_id")`);
    await queryRunner.query(`
            CREATE TABLE "failure_counts" (
                "organization_id" uuid NOT NULL,
                "hour" TIMESTAMP WITH TIME ZONE NOT NULL,
                "api_key_id" uuid NOT NULL,
                "model" text NOT NULL,
                "status" smallint NOT NULL,
                "code" text NOT NULL,
                "requests" bigint NOT NULL,
                CONSTRAINT "failure_counts_pkey"
                    PRIMARY KEY ("organization_id", "hour", "api_key_id", "model", "status", "code"),
                CONSTRAINT "FK_9ad9dbcab3478c2b3f0a9a03b9a"
                    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE
            )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "failure_counts"`);
    await queryRunner.query(`DROP TABLE "failed_requests"`);
  }
}
