import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Usage1795245674253 implements MigrationInterface {
  name = 'Usage1795245674253';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys" ADD "last_used_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            CREATE TABLE "deleted_api_keys" (
                "id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "name" text NOT NULL,
                "hint" text NOT NULL,
                "deleted_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "PK_94027d66addd5538157bd3ae705" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "deleted_api_keys_by_organization" ON "deleted_api_keys" ("organization_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "usage" (
                "organization_id" uuid NOT NULL,
                "hour" TIMESTAMP WITH TIME ZONE NOT NULL,
                "api_key_id" uuid NOT NULL,
                "model" text COLLATE "C" NOT NULL,
                "latency_bucket" smallint NOT NULL,
                "requests" bigint NOT NULL,
                "failures" bigint NOT NULL,
                "input_tokens" bigint NOT NULL,
                "pages" bigint NOT NULL,
                "microseconds" bigint NOT NULL,
                CONSTRAINT "PK_e70e7e6704a5465676a78f3a8f7" PRIMARY KEY (
                    "organization_id", "hour", "api_key_id", "model", "latency_bucket"
                )
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "deleted_api_keys"
            ADD CONSTRAINT "FK_3060d6b928960c08717a28157a2" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "usage"
            ADD CONSTRAINT "FK_e253d6d4b013b6480f45693471e" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "usage" DROP CONSTRAINT "FK_e253d6d4b013b6480f45693471e"
        `);
    await queryRunner.query(`
            ALTER TABLE "deleted_api_keys" DROP CONSTRAINT "FK_3060d6b928960c08717a28157a2"
        `);
    await queryRunner.query(`
            DROP TABLE "usage"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deleted_api_keys_by_organization"
        `);
    await queryRunner.query(`
            DROP TABLE "deleted_api_keys"
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" DROP COLUMN "last_used_at"
        `);
  }
}
