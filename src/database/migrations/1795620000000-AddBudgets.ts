import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from '../sql-file.js';

/** In the order of their references. */
const files = ['tables', 'limit-states', 'limit-notices', 'count-arrivals', 'reserve-amounts', 'settle-amounts'];

/**
 * Budgets in money, running requests, weeks, time zones and limits of models. The functions of the previous release stay,
 * because its replicas still call them during an upgrade.
 */
export class AddBudgets1795620000000 implements MigrationInterface {
  name = 'AddBudgets1795620000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(files.map((name) => readSql(`database/migrations/budgets/${name}.sql`)).join('\n'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(readSql('database/migrations/budgets/revert.sql'));
  }
}
