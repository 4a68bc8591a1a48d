import type { MigrationInterface, QueryRunner } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { readSql } from '../sql-file.js';

/** The permissions of the role Auditor in this release. Later migrations add theirs with `grantNewPermissions`. */
const auditorPermissions = [
  'get-api-keys',
  'get-usage',
  'get-members',
  'get-service-accounts',
  'get-roles',
  'get-webhooks',
  'get-audit-events',
];

/** Former members, the creators of deleted API keys, and the role Auditor. */
export class AddPeople1795690000000 implements MigrationInterface {
  name = 'AddPeople1795690000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(readSql('database/migrations/people/tables.sql'));
    await addAuditors(queryRunner);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table deleted_api_keys drop created_by_id, drop created_by_service_account_id;
      drop table former_members;
    `);
    await queryRunner.query(
      `delete from roles
       where name = 'Auditor' and permissions = $1::text[]
         and not exists (select from memberships where role_id = roles.id)
         and not exists (select from service_accounts where role_id = roles.id)
         and not exists (select from invitations where role_id = roles.id)
         and not exists (select from provisioned_memberships where roles.id = any(role_ids))`,
      [auditorPermissions],
    );
  }
}

/**
 * Adds the role Auditor to organizations that have no role of this name. Not if members sign in through an identity
 * provider, which assigns roles by name: someone could then get a role that no one here gave them.
 */
async function addAuditors(queryRunner: QueryRunner): Promise<void> {
  const organizations = (await queryRunner.query(
    `select id from organizations
     where deleted_at is null
       and not exists (select from roles where organization_id = organizations.id and lower(name) = 'auditor')
       and not exists (
         select from memberships join user_identities using (user_id) where organization_id = organizations.id
       )`,
  )) as { id: string }[];
  await queryRunner.query(
    `insert into roles (id, organization_id, name, permissions)
     select id, organization_id, 'Auditor', $3::text[]
     from unnest($1::uuid[], $2::uuid[]) as added (id, organization_id)`,
    [organizations.map(() => uuidv7()), organizations.map(({ id }) => id), auditorPermissions],
  );
}
