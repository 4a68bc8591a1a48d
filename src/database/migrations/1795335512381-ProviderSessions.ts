import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProviderSessions1795335512381 implements MigrationInterface {
  name = 'ProviderSessions1795335512381';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD "issuer" text,
            ADD "provider_session_id" text
        `);
    await queryRunner.query(`
            CREATE TABLE "logout_tokens" (
                "token_hash" bytea NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "logout_tokens_pkey" PRIMARY KEY ("token_hash")
            )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "logout_tokens"`);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            DROP COLUMN "provider_session_id",
            DROP COLUMN "issuer"
        `);
  }
}
