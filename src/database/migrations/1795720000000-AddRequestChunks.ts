import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest requests of API keys. */
export class AddRequestChunks1795720000000 implements MigrationInterface {
  name = 'AddRequestChunks1795720000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table request_chunks (
        api_key_id uuid not null,
        is_failure boolean not null,
        number integer not null,
        organization_id uuid not null,
        count integer not null,
        last_at timestamptz not null,
        requests text not null,
        constraint request_chunks_pkey primary key (api_key_id, is_failure, number),
        constraint "FK_a5dcf904ac7a21d71c5ca85d135" foreign key (organization_id) references organizations (id) on delete cascade
      ) with (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
      create index request_chunks_by_organization on request_chunks (organization_id);
      create index request_chunks_by_time on request_chunks (last_at);
      comment on table request_chunks is
        'The latest requests of each API key, about 50 in a row, kept for 30 days, and at most 1,000 for each key';
      comment on column request_chunks.api_key_id is 'No foreign key: deleting a key deletes these rows itself';
      comment on column request_chunks.is_failure is 'Whether they failed or were rejected';
      comment on column request_chunks.number is 'Increases with each chunk of the key';
      comment on column request_chunks.count is 'Number of requests';
      comment on column request_chunks.last_at is 'When the latest of them arrived';
      comment on column request_chunks.requests is
        'A line per request, a JSON array: time, route, model, status, outcome, milliseconds, address, request ID, cost, amounts';
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table request_chunks');
  }
}
