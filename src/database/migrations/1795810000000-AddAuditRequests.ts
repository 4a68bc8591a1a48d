import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The requests of audit events, so that events of one request are shown as one. Earlier events have none. */
export class AddAuditRequests1795810000000 implements MigrationInterface {
  name = 'AddAuditRequests1795810000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table audit_events add request_id text;
      comment on column audit_events.request_id is
        'Of the request that caused it, as in x-request-id; null if none did. Not part of the hash';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table audit_events drop request_id');
  }
}
