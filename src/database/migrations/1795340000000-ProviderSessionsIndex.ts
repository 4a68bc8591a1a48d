import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

export class ProviderSessionsIndex1795340000000 implements MigrationInterface {
  name = 'ProviderSessionsIndex1795340000000';
  readonly transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const definition = 'on sessions (issuer, provider_session_id) where provider_session_id is not null';
    await createIndexConcurrently(queryRunner, 'sessions_by_provider_session', definition);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    // TypeORM reverts migrations in a transaction, where PostgreSQL can't drop an index concurrently.
    await queryRunner.query('drop index sessions_by_provider_session');
  }
}
