import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks of limits that have changed, which may have reached percentages of `notifyAt` without a request. */
export class AddLimitChecks1795790000000 implements MigrationInterface {
  name = 'AddLimitChecks1795790000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table limit_checks (
        due_at timestamptz not null,
        owner_id uuid not null,
        organization_id uuid not null,
        first_checked_at timestamptz,
        constraint limit_checks_pkey primary key (due_at, owner_id)
      );
      comment on table limit_checks is
        'Keys and organizations whose limits may have reached a threshold without a request, because they have changed or '
        'an increase ends. No foreign keys, so that checks don''t wait for changes of keys and organizations';
      comment on column limit_checks.owner_id is 'Id of an API key or an organization';
      comment on column limit_checks.first_checked_at is
        'Null before the first check. Later ones are for requests that started before the change';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table limit_checks');
  }
}
