import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

const indexes = {
  audit_events_by_request: `on audit_events (organization_id, request_id, occurred_at, id) where request_id is not null`,
  audit_events_by_target_email: `on audit_events (organization_id, target_name, occurred_at, id)
    where target_kind in ('member', 'invitation', 'user')`,
};

/** The events of a request, and those about a person. */
export class IndexAuditSearches1795860000000 implements MigrationInterface {
  name = 'IndexAuditSearches1795860000000';
  // Events are recorded while the indexes are built.
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(indexes))
      await createIndexConcurrently(queryRunner, name, definition);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes)) await dropIndexConcurrently(queryRunner, name);
  }
}
