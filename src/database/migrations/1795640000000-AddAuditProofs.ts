import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from '../sql-file.js';

/**
 * Merkle trees over the audit log. Events that exist are added to them in the background, because hashing them could take
 * minutes. The previous release's replicas add their events through a trigger.
 */
export class AddAuditProofs1795640000000 implements MigrationInterface {
  name = 'AddAuditProofs1795640000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(readSql('database/migrations/audit-proofs/tables.sql'));
    await queryRunner.query(readSql('database/migrations/audit-proofs/functions.sql'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(readSql('database/migrations/audit-proofs/revert.sql'));
    await queryRunner.query(readSql('database/migrations/first-schema/audit-events-functions.sql'));
  }
}
