import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a request be found by its ID without its key. Earlier requests have no fingerprints, so all of their text is searched. */
export class AddRequestFingerprints1795850000000 implements MigrationInterface {
  name = 'AddRequestFingerprints1795850000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table request_chunks add fingerprints bytea not null default '\\x';
      comment on column request_chunks.fingerprints is
        'Starts of the SHA-256 hashes of its request IDs, 3 bytes each. Shorter if an earlier release wrote some of its requests';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table request_chunks drop fingerprints');
  }
}
