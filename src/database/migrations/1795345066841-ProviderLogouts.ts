import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProviderLogouts1795345066841 implements MigrationInterface {
  name = 'ProviderLogouts1795345066841';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "provider_logouts" (
                "id" uuid NOT NULL,
                "subject_hash" bytea,
                "session_hash" bytea,
                "issued_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "provider_logouts_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`CREATE INDEX "provider_logouts_by_subject" ON "provider_logouts" ("subject_hash")`);
    await queryRunner.query(`CREATE INDEX "provider_logouts_by_session" ON "provider_logouts" ("session_hash")`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "provider_logouts"`);
  }
}
