import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditEventFilters1795249404889 implements MigrationInterface {
  name = 'AuditEventFilters1795249404889';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "audit_events_by_time"`);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_time" ON "audit_events" ("organization_id", "occurred_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_actor" ON "audit_events" ("organization_id", "actor_id", "occurred_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_actor_email" ON "audit_events" ("organization_id", "actor_email", "occurred_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_action" ON "audit_events" ("organization_id", "action", "occurred_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_target" ON "audit_events" ("organization_id", "target_id", "occurred_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_target_kind" ON "audit_events" ("organization_id", "target_kind", "occurred_at", "id")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "audit_events_by_target_kind"`);
    await queryRunner.query(`DROP INDEX "audit_events_by_target"`);
    await queryRunner.query(`DROP INDEX "audit_events_by_action"`);
    await queryRunner.query(`DROP INDEX "audit_events_by_actor_email"`);
    await queryRunner.query(`DROP INDEX "audit_events_by_actor"`);
    await queryRunner.query(`DROP INDEX "audit_events_by_time"`);
    await queryRunner.query(`
            CREATE INDEX "audit_events_by_time" ON "audit_events" ("organization_id", "id")
        `);
  }
}
