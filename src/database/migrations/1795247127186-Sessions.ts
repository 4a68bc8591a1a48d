import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1795247127186 implements MigrationInterface {
  name = 'Sessions1795247127186';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "sessions" (
                "id" uuid NOT NULL,
                "user_id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "family_hash" bytea NOT NULL,
                "secret_hash" bytea NOT NULL,
                "previous_secret_hash" bytea,
                "rotation_nonce" bytea,
                "rotated_at" TIMESTAMP(3) WITH TIME ZONE,
                "address" text NOT NULL,
                "user_agent" text,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "UQ_fcc8717b658155a0bcd541c0da5" UNIQUE ("family_hash"),
                CONSTRAINT "PK_3238ef96f18b355b671619111bc" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "sessions_by_user" ON "sessions" ("user_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "sessions_by_organization" ON "sessions" ("organization_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD CONSTRAINT "FK_085d540d9f418cfbdc7bd55bb19" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD CONSTRAINT "FK_a9e3486bb3e8509466d4c9d6c93" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP TABLE "sessions"
        `);
  }
}
