import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from '../sql-file.js';

const files = ['tables', 'functions'];

/** Moves of organizations to another database. */
export class AddCells1795770000000 implements MigrationInterface {
  name = 'AddCells1795770000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(files.map((name) => readSql(`database/migrations/cells/${name}.sql`)).join('\n'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(readSql('database/migrations/cells/revert.sql'));
  }
}
