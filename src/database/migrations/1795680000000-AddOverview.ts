import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** Finds the few leaked keys of an organization with many keys. */
export class AddOverview1795680000000 implements MigrationInterface {
  name = 'AddOverview1795680000000';
  transaction = false as const;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const definition = 'on api_keys (organization_id, leaked_at, id) where leaked_secret is not null';
    await createIndexConcurrently(queryRunner, 'api_keys_leaked', definition);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, 'api_keys_leaked');
  }
}
