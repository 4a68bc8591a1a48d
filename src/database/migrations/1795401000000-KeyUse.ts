import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

export class KeyUse1795401000000 implements MigrationInterface {
  name = 'KeyUse1795401000000';
  readonly transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys add column if not exists last_used_address text');
    await createIndexConcurrently(queryRunner, 'api_keys_by_expiry', 'on api_keys (organization_id, expires_at, id)');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    // TypeORM reverts migrations in a transaction, where PostgreSQL can't drop an index concurrently.
    await queryRunner.query('drop index api_keys_by_expiry');
    await queryRunner.query('alter table api_keys drop column last_used_address');
  }
}
