import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tags of API keys, which outlive the keys in usage reports. */
export class AddKeyTags1795700000000 implements MigrationInterface {
  name = 'AddKeyTags1795700000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table api_keys add tags text[] not null default '{}';
      create index api_keys_by_tag on api_keys using gin (tags);
      comment on column api_keys.tags is 'In lower case and sorted, each once. Usage can be grouped by them';

      alter table deleted_api_keys add tags text[] not null default '{}';
      comment on column deleted_api_keys.tags is 'When the key was deleted, for usage reports';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table deleted_api_keys drop tags;
      alter table api_keys drop tags;
    `);
  }
}
