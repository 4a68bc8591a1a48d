import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantNewPermissions, takeNewPermissions } from '../../access/migrate-permissions.js';
import { readSql } from '../sql-file.js';

const files = ['tables', 'dispatch-events'];

/** Events, webhooks and their permissions. */
export class AddEvents1795630000000 implements MigrationInterface {
  name = 'AddEvents1795630000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(files.map((name) => readSql(`database/migrations/events/${name}.sql`)).join('\n'));
    await grantNewPermissions(queryRunner, this.name);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await takeNewPermissions(queryRunner, this.name);
    await queryRunner.query(readSql('database/migrations/events/revert.sql'));
  }
}
