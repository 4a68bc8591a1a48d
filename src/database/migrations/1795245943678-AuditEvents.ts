import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditEvents1795245943678 implements MigrationInterface {
  name = 'AuditEvents1795245943678';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "audit_events" (
                "id" uuid NOT NULL,
                "organization_id" uuid,
                "occurred_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
                "action" text NOT NULL,
                "actor_id" uuid,
                "actor_email" text,
                "address" text NOT NULL,
                "user_agent" text,
                "target_kind" text NOT NULL,
                "target_id" uuid,
                "target_name" text,
                "target_hint" text,
                "before" jsonb,
                "after" jsonb,
                CONSTRAINT "PK_910f64d901a5c3e9878f0d4a407" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_time" ON "audit_events" ("organization_id", "id")
        `);
    await queryRunner.query(`
            ALTER TABLE "audit_events"
            ADD CONSTRAINT "FK_6510e4bf7423cd3d750e8c2ae81" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    // The service's role can only add and read events. As the owner of the table, it could restore its rights and drop
    // the trigger; a role that doesn't own the table is safer, see docs/audit.md.
    await queryRunner.query(`
            CREATE FUNCTION "refuse_to_change_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION 'Audit events cannot be changed or deleted.' USING ERRCODE = 'insufficient_privilege';
            END $$
        `);
    await queryRunner.query(`
            CREATE TRIGGER "audit_events_are_final" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
            FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_change_audit_events"()
        `);
    await queryRunner.query(`REVOKE UPDATE, DELETE, TRUNCATE ON "audit_events" FROM CURRENT_USER`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "audit_events"`);
    await queryRunner.query(`DROP FUNCTION "refuse_to_change_audit_events"`);
  }
}
