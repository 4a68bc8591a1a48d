import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SingleSignOn1795247405158 implements MigrationInterface {
  name = 'SingleSignOn1795247405158';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "user_identities" (
                "id" uuid NOT NULL,
                "user_id" uuid NOT NULL,
                "issuer" text NOT NULL,
                "subject" text NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "UQ_67a7601fcd0a929b6e2a186412d" UNIQUE ("user_id", "issuer"),
                CONSTRAINT "UQ_30e43d5623aba16f806fc50cb99" UNIQUE ("issuer", "subject"),
                CONSTRAINT "PK_e23bff04e9c3e7b785e442b262c" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "provisioned_memberships" (
                "user_id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "role_ids" uuid array NOT NULL,
                "claimed_at" TIMESTAMP(0) WITH TIME ZONE NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "PK_c8369bf30212944006ccbab1ad9" PRIMARY KEY ("user_id", "organization_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "provisioned_memberships_by_organization" ON "provisioned_memberships" ("organization_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "user_identities"
            ADD CONSTRAINT "FK_bf5fe01eb8cad7114b4c371cdc7" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "provisioned_memberships"
            ADD CONSTRAINT "FK_575fc8db37d99f5dc95c053f3f5" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "provisioned_memberships"
            ADD CONSTRAINT "FK_3261f7d42374c133023b7476e23" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    // Accounts without a password get a well-formed hash that no known password matches.
    await queryRunner.query(`
            UPDATE "users"
            SET "password_hash" = '$argon2id$v=19$m=19456,t=2,p=1$'
                || rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '=') || '$'
                || rtrim(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '=')
            WHERE "password_hash" IS NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "users" ALTER COLUMN "password_hash" SET NOT NULL
        `);
    await queryRunner.query(`DROP TABLE "provisioned_memberships"`);
    await queryRunner.query(`DROP TABLE "user_identities"`);
  }
}
