import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

const index = 'api_keys_by_creator_and_creation';

/** The keys of one creator, newest first. */
export class IndexKeyCreators1795691000000 implements MigrationInterface {
  name = 'IndexKeyCreators1795691000000';
  // Keys are created and used while the index is built.
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(queryRunner, index, 'on api_keys (organization_id, created_by_id, created_at, id)');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, index);
  }
}
