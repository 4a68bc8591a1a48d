import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that are deleted once they have expired. */
export class DeleteExpiredKeys1795750000000 implements MigrationInterface {
  name = 'DeleteExpiredKeys1795750000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table api_keys add delete_when_expired boolean not null default false;
      create index api_keys_to_delete on api_keys (expires_at, id) where delete_when_expired;
      comment on column api_keys.delete_when_expired is
        'Whether the key is deleted some minutes after it has expired, as temporary keys of the playground are';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys drop delete_when_expired');
  }
}
