import type { MigrationInterface, QueryRunner } from 'typeorm';

const newPermission = 'delete-organization';

/** All permissions of the previous release. Roles with all of them, such as Owner, get the new one. */
const previousPermissions = [
  'create-api-keys',
  'get-api-keys',
  'update-api-keys',
  'delete-api-keys',
  'get-usage',
  'update-organization',
  'get-members',
  'create-members',
  'update-members',
  'delete-members',
  'get-service-accounts',
  'create-service-accounts',
  'update-service-accounts',
  'delete-service-accounts',
  'get-roles',
  'create-roles',
  'update-roles',
  'delete-roles',
  'get-audit-events',
];

export class DeletedOrganizations1795440000000 implements MigrationInterface {
  name = 'DeletedOrganizations1795440000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "organizations" ADD COLUMN "deleted_at" TIMESTAMP(3) WITH TIME ZONE`);
    await queryRunner.query(
      `update roles set permissions = array_append(permissions, $1::text)
       where permissions @> $2::text[] and not $1 = any(permissions)`,
      [newPermission, previousPermissions],
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'update roles set permissions = array_remove(permissions, $1::text) where $1 = any(permissions)',
      [newPermission],
    );
    await queryRunner.query(`ALTER TABLE "organizations" DROP COLUMN "deleted_at"`);
  }
}
