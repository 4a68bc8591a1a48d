import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

const newPermissions = [
  'get-service-accounts',
  'create-service-accounts',
  'update-service-accounts',
  'delete-service-accounts',
];

/** All permissions of the previous release. Roles with all of them, such as Owner, get the new ones. */
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
  'get-roles',
  'create-roles',
  'update-roles',
  'delete-roles',
  'get-audit-events',
];

export class Automation1795420000000 implements MigrationInterface {
  name = 'Automation1795420000000';
  readonly transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE IF NOT EXISTS "service_accounts" (
                "id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "name" text NOT NULL,
                "role_id" uuid NOT NULL,
                "hint" text NOT NULL,
                "secret_hash" bytea NOT NULL,
                "secret_version" integer NOT NULL DEFAULT 1,
                "previous_secret_hash" bytea,
                "previous_secret_expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "PK_e2fb216fdc1db94c5e4da7d88fa" PRIMARY KEY ("id"),
                CONSTRAINT "FK_ec5d48b8cb04b1a581453edee94"
                    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE,
                CONSTRAINT "FK_aaa150988c3c497e5087a94273f"
                    FOREIGN KEY ("organization_id", "role_id") REFERENCES "roles"("organization_id", "id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX IF NOT EXISTS "service_accounts_by_creation"
            ON "service_accounts" ("organization_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX IF NOT EXISTS "service_accounts_by_role" ON "service_accounts" ("organization_id", "role_id")
        `);
    await queryRunner.query(`
            CREATE TABLE IF NOT EXISTS "idempotency_keys" (
                "hash" bytea NOT NULL,
                "organization_id" uuid NOT NULL,
                "body_hash" bytea NOT NULL,
                "api_key_id" uuid NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_c4c4dde87e60b16dad3ee9cb190" PRIMARY KEY ("hash"),
                CONSTRAINT "FK_12d9576ef013c5bd4eead32afd0"
                    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE INDEX IF NOT EXISTS "idempotency_keys_by_organization" ON "idempotency_keys" ("organization_id")
        `);
    await queryRunner.query(`
            CREATE INDEX IF NOT EXISTS "idempotency_keys_by_expiry" ON "idempotency_keys" ("expires_at")
        `);
    await queryRunner.query(`
            ALTER TABLE "audit_events"
                ADD COLUMN IF NOT EXISTS "actor_kind" text NOT NULL DEFAULT 'user',
                ADD COLUMN IF NOT EXISTS "actor_name" text
        `);
    // PostgreSQL doesn't check existing rows, because all of them are null.
    await queryRunner.query(`
            ALTER TABLE "api_keys" ADD COLUMN IF NOT EXISTS "created_by_service_account_id" uuid
            CONSTRAINT "FK_32525ed669aec37dcabe4dc214b" REFERENCES "service_accounts"("id") ON DELETE SET NULL
        `);
    await createIndexConcurrently(
      queryRunner,
      'api_keys_by_creating_service_account',
      'on api_keys (created_by_service_account_id) where created_by_service_account_id is not null',
    );
    await queryRunner.query(
      'update roles set permissions = permissions || $1::text[] where permissions @> $2::text[] and not permissions && $1',
      [newPermissions, previousPermissions],
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `update roles set permissions = array(
         select permission from unnest(permissions) with ordinality as held (permission, position)
          where permission <> all($1::text[]) order by position)
       where permissions && $1`,
      [newPermissions],
    );
    await queryRunner.query(`ALTER TABLE "api_keys" DROP COLUMN "created_by_service_account_id"`);
    await queryRunner.query(`ALTER TABLE "audit_events" DROP COLUMN "actor_name", DROP COLUMN "actor_kind"`);
    await queryRunner.query(`DROP TABLE "idempotency_keys"`);
    await queryRunner.query(`DROP TABLE "service_accounts"`);
  }
}
