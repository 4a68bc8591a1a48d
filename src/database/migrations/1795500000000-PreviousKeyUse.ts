import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PreviousKeyUse1795500000000 implements MigrationInterface {
  name = 'PreviousKeyUse1795500000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
            ADD "previous_last_used_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    // Which secret was used is unknown. A time that is too late is safer than "never used".
    await queryRunner.query(`
            UPDATE "api_keys"
            SET "previous_last_used_at" = "last_used_at"
            WHERE "previous_key_hash" IS NOT NULL AND "previous_key_expires_at" > now()
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys" DROP COLUMN "previous_last_used_at"
        `);
  }
}
