import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PasswordResets1795335833013 implements MigrationInterface {
  name = 'PasswordResets1795335833013';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "password_resets" (
                "user_id" uuid NOT NULL,
                "token_hash" bytea NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "UQ_323290a9239ad3d397ad78018ec" UNIQUE ("token_hash"),
                CONSTRAINT "PK_f7a4c3bc48f24df007936d217be" PRIMARY KEY ("user_id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "password_resets"
            ADD CONSTRAINT "FK_f7a4c3bc48f24df007936d217be" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP TABLE "password_resets"
        `);
  }
}
