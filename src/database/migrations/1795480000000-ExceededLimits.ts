import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ExceededLimits1795480000000 implements MigrationInterface {
  name = 'ExceededLimits1795480000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "failed_requests" ADD "exceeded_limit" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "failed_requests" DROP COLUMN "exceeded_limit"`);
  }
}
