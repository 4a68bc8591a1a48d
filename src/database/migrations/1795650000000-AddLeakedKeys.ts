import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports of leaked API keys, and what organizations do with the keys. */
export class AddLeakedKeys1795650000000 implements MigrationInterface {
  name = 'AddLeakedKeys1795650000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table organizations
        add on_leak text not null default 'disable',
        add constraint organizations_on_leak check (on_leak in ('notify', 'disable', 'delete'));
      comment on column organizations.on_leak is
        'What happens to an API key that is reported as leaked: notify only records it';

      alter table api_keys
        add leaked_at timestamptz(3),
        add leaked_url text,
        add leaked_source text,
        add leaked_secret text;
      comment on column api_keys.leaked_at is
        'When a secret of the key was first reported as leaked; null: none was, or it was replaced since';
      comment on column api_keys.leaked_url is 'Where it was found, without secrets; null: unknown';
      comment on column api_keys.leaked_source is 'Kind of place, as reported, such as commit';
      comment on column api_keys.leaked_secret is 'current, or previous: the one from before the last rotation';

      create table leak_reports (
        secret_hash bytea not null,
        place_hash bytea not null,
        organization_id uuid not null,
        api_key_id uuid not null,
        secret text not null,
        reported_at timestamptz(3) not null default now(),
        constraint "PK_f3e02f6464eb799005609ad8174" primary key (secret_hash, place_hash),
        constraint leak_reports_secret check (secret in ('current', 'previous')),
        constraint "FK_22b02fcc54a67625e1de68afa24"
          foreign key (organization_id) references organizations (id) on delete cascade
      );
      create index leak_reports_by_organization on leak_reports (organization_id);
      comment on table leak_reports is
        'Places where secrets of API keys were found, so that repeated reports change nothing. Outlive the keys';
      comment on column leak_reports.secret_hash is 'SHA-256 of the secret';
      comment on column leak_reports.place_hash is 'SHA-256 of source and URL';
      comment on column leak_reports.api_key_id is 'No foreign key, because the report outlives the key';
      comment on column leak_reports.secret is 'Which secret of the key it was when it was reported: current or previous';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table leak_reports;
      alter table api_keys drop leaked_at, drop leaked_url, drop leaked_source, drop leaked_secret;
      alter table organizations drop on_leak;
    `);
  }
}
