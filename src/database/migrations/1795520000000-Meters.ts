import type { MigrationInterface, QueryRunner } from 'typeorm';

const added = ['cached_input_tokens', 'cache_write_tokens', 'output_tokens', 'reasoning_tokens'];
const packedTables = ['usage_by_hour', 'usage_by_day', 'usage_by_month'];

/** A column per meter. */
export class Meters1795520000000 implements MigrationInterface {
  name = 'Meters1795520000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`alter table usage rename estimated to estimated_requests`);
    await queryRunner.query(`
      alter table usage
        alter estimated_requests drop not null, alter estimated_requests drop default,
        alter input_tokens drop not null, alter pages drop not null,
        ${added.map((column) => `add ${column} bigint`).join(', ')}`);
    for (const table of packedTables) {
      await queryRunner.query(`alter table ${table} rename estimated to estimated_requests`);
      await queryRunner.query(`alter table ${table} ${added.map((column) => `add ${column} bigint[]`).join(', ')}`);
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    const drop = added.map((column) => `drop ${column}`).join(', ');
    for (const table of packedTables) {
      await queryRunner.query(`alter table ${table} ${drop}`);
      await queryRunner.query(`alter table ${table} rename estimated_requests to estimated`);
    }
    await queryRunner.query(`alter table usage ${drop}`);
    await queryRunner.query(`
      update usage set input_tokens = coalesce(input_tokens, 0), pages = coalesce(pages, 0),
        estimated_requests = coalesce(estimated_requests, 0)`);
    await queryRunner.query(`
      alter table usage
        alter input_tokens set not null, alter pages set not null,
        alter estimated_requests set default 0, alter estimated_requests set not null`);
    await queryRunner.query(`alter table usage rename estimated_requests to estimated`);
  }
}
