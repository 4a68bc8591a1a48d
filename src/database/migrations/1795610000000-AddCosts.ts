import type { MigrationInterface, QueryRunner } from 'typeorm';

const usageTables = [
  { table: 'usage', type: 'bigint' },
  { table: 'usage_by_hour', type: 'bigint[]' },
  { table: 'usage_by_day', type: 'bigint[]' },
  { table: 'usage_by_month', type: 'bigint[]' },
];

/** Costs are recorded with requests, so that new prices don't change past reports. Earlier requests have none. */
export class AddCosts1795610000000 implements MigrationInterface {
  name = 'AddCosts1795610000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, type } of usageTables) {
      await queryRunner.query(
        `alter table ${table} add cache_write1h_tokens ${type}, add priced_requests ${type}, add cost ${type}`,
      );
    }
    await queryRunner.query(`
      comment on column usage.cache_write1h_tokens is 'Written to the upstream''s cache for an hour; part of cache_write_tokens';
      comment on column usage.priced_requests is 'Requests that have a cost: their model had a price when they were recorded';
      comment on column usage.cost is 'In billionths of the currency of the models file, at the prices when it was recorded'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of usageTables) {
      await queryRunner.query(`alter table ${table} drop cache_write1h_tokens, drop priced_requests, drop cost`);
    }
  }
}
