import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyLifecycle1795248000000 implements MigrationInterface {
  name = 'KeyLifecycle1795248000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "organizations" ADD "longest_key_lifetime_days" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "organizations"
            ADD CONSTRAINT "organizations_key_lifetime" CHECK (longest_key_lifetime_days between 1 and 3650)
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" ADD "expires_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" ADD "previous_key_hash" bytea
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" ADD "previous_key_expires_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "api_keys_by_previous_hash" ON "api_keys" ("previous_key_hash")
            WHERE previous_key_hash is not null
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP INDEX "public"."api_keys_by_previous_hash"
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" DROP COLUMN "previous_key_expires_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" DROP COLUMN "previous_key_hash"
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" DROP COLUMN "expires_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "organizations" DROP CONSTRAINT "organizations_key_lifetime"
        `);
    await queryRunner.query(`
            ALTER TABLE "organizations" DROP COLUMN "longest_key_lifetime_days"
        `);
  }
}
