import type { MigrationInterface, QueryRunner } from 'typeorm';

const usageTables = [
  { table: 'usage', type: 'bigint' },
  { table: 'usage_by_hour', type: 'bigint[]' },
  { table: 'usage_by_day', type: 'bigint[]' },
  { table: 'usage_by_month', type: 'bigint[]' },
];

/** The time to the first token, as a sum and a count. Earlier requests have none. */
export class AddFirstTokenTimes1795730000000 implements MigrationInterface {
  name = 'AddFirstTokenTimes1795730000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, type } of usageTables) {
      await queryRunner.query(`alter table ${table} add first_tokens ${type}, add first_token_microseconds ${type}`);
    }
    await queryRunner.query(`
      comment on column usage.first_tokens is 'Streamed requests for generated text that got a first token';
      comment on column usage.first_token_microseconds is 'Total time to it, from the arrival of these requests'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of usageTables) {
      await queryRunner.query(`alter table ${table} drop first_tokens, drop first_token_microseconds`);
    }
  }
}
