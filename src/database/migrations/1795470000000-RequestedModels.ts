import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RequestedModels1795470000000 implements MigrationInterface {
  name = 'RequestedModels1795470000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "failed_requests" ADD "requested_model" text`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "failed_requests" DROP COLUMN "requested_model"`);
  }
}
