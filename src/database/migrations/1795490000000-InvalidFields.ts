import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InvalidFields1795490000000 implements MigrationInterface {
  name = 'InvalidFields1795490000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "failed_requests" ADD "invalid_fields" jsonb NOT NULL DEFAULT '[]'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "failed_requests" DROP COLUMN "invalid_fields"`);
  }
}
