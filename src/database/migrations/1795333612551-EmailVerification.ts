import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EmailVerification1795333612551 implements MigrationInterface {
  name = 'EmailVerification1795333612551';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "users"
            ADD "email_verified_at" TIMESTAMP(3) WITH TIME ZONE,
            ADD "email_verified_by" text,
            ADD "password_removed_at" TIMESTAMP(3) WITH TIME ZONE,
            ADD CONSTRAINT "users_email_verification" CHECK (
                (email_verified_at is null) = (email_verified_by is null)
                and email_verified_by in ('provider', 'first-administrator')
            )
        `);
    // The first start creates the administrator and the first organization in one transaction, at the same now().
    await queryRunner.query(`
            UPDATE "users"
            SET email_verified_at = created_at, email_verified_by = 'first-administrator'
            WHERE id = (SELECT id FROM "users" ORDER BY created_at, id LIMIT 1)
                AND created_at = (SELECT min(created_at) FROM "organizations")
        `);
    // An account with a password existed before the provider's identity was linked to it, and any invitee may have
    // chosen that password. It stays unverified, so the next single sign-on removes the password.
    await queryRunner.query(`
            UPDATE "users"
            SET email_verified_at = identity.linked_at, email_verified_by = 'provider'
            FROM (SELECT user_id, min(created_at) AS linked_at FROM "user_identities" GROUP BY user_id) identity
            WHERE identity.user_id = "users".id AND email_verified_at IS NULL AND password_hash IS NULL
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "users"
            DROP CONSTRAINT "users_email_verification",
            DROP COLUMN "password_removed_at",
            DROP COLUMN "email_verified_by",
            DROP COLUMN "email_verified_at"
        `);
  }
}
