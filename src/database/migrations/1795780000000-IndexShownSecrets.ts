import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

const index = 'audit_events_of_shown_secrets';

/** The secrets of API keys that an actor received. */
export class IndexShownSecrets1795780000000 implements MigrationInterface {
  name = 'IndexShownSecrets1795780000000';
  // Events are recorded while the index is built.
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const definition = `on audit_events (organization_id, actor_id, target_id, target_hint)
      where action in ('api-key.create', 'api-key.rotate')`;
    await createIndexConcurrently(queryRunner, index, definition);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, index);
  }
}
