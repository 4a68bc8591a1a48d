import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyRestrictions1795372200000 implements MigrationInterface {
  name = 'KeyRestrictions1795372200000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
                ADD "enabled" boolean NOT NULL DEFAULT true,
                ADD "note" text,
                ADD "models" text array,
                ADD "addresses" text array
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
                DROP COLUMN "addresses",
                DROP COLUMN "models",
                DROP COLUMN "note",
                DROP COLUMN "enabled"
        `);
  }
}
