import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

const index = 'audit_events_of_key_names';

/** The names that API keys have, or had, in the audit log. */
export class IndexKeyNames1795800000000 implements MigrationInterface {
  name = 'IndexKeyNames1795800000000';
  // Events are recorded while the index is built.
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const definition = `on audit_events (organization_id, target_name, target_id)
      where target_kind = 'api-key'
        and (action in ('api-key.create', 'api-key.leak', 'api-key.delete') or after ? 'name')`;
    await createIndexConcurrently(queryRunner, index, definition);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, index);
  }
}
