import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

export class AuditEventHints1795450000000 implements MigrationInterface {
  name = 'AuditEventHints1795450000000';
  readonly transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'audit_events_by_target_hint',
      'on audit_events (organization_id, target_hint, occurred_at, id) where target_hint is not null',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    // TypeORM reverts migrations in a transaction, where PostgreSQL can't drop an index concurrently.
    await queryRunner.query('drop index audit_events_by_target_hint');
  }
}
