import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyRotations1795460000000 implements MigrationInterface {
  name = 'KeyRotations1795460000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
            ADD "previous_key_hint" text,
            ADD "rotated_at" TIMESTAMP(3) WITH TIME ZONE
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
            DROP COLUMN "rotated_at",
            DROP COLUMN "previous_key_hint"
        `);
  }
}
