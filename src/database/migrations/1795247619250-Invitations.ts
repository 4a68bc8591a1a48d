import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Invitations1795247619250 implements MigrationInterface {
  name = 'Invitations1795247619250';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "invitations" (
                "id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "email" text NOT NULL,
                "role_id" uuid NOT NULL,
                "token_hash" bytea NOT NULL,
                "invited_by_id" uuid,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "UQ_872ac94a64b3d44fc4b554780cd" UNIQUE ("token_hash"),
                CONSTRAINT "UQ_3afc80b5ecc0276428da3e3a87f" UNIQUE ("organization_id", "email"),
                CONSTRAINT "PK_5dec98cfdfd562e4ad3648bbb07" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "invitations_by_inviter" ON "invitations" ("invited_by_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "invitations_by_role" ON "invitations" ("organization_id", "role_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "invitations_by_creation" ON "invitations" ("organization_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "memberships_by_joining" ON "memberships" ("organization_id", "created_at", "id")
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD CONSTRAINT "FK_42d1dbb4d85dc3643fdc6560af0" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD CONSTRAINT "FK_bba066d3f17b83c3663f44bb471" FOREIGN KEY ("role_id", "organization_id") REFERENCES "roles"("id", "organization_id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD CONSTRAINT "FK_d4de0403dd012cf87b430af70ef" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP TABLE "invitations"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."memberships_by_joining"
        `);
  }
}
