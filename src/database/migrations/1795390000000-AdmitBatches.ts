import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The statement that admits a batch at once is in src/limits/admit-batch.ts. */
export class AdmitBatches1795390000000 implements MigrationInterface {
  name = 'AdmitBatches1795390000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(admitOneByOne);
    // Connections that admit requests disable hash joins, but this function joins a batch with its counters.
    await queryRunner.query(`ALTER FUNCTION "admit_requests"("admission_ask"[]) SET "enable_hashjoin" = on`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER FUNCTION "admit_requests"("admission_ask"[]) RESET "enable_hashjoin"`);
    await queryRunner.query(`DROP FUNCTION "admit_one_by_one"(uuid[], text[], text[], bigint[], "admission_ask"[])`);
  }
}

/** Takes back what was charged to counters, which the same transaction has locked, and admits requests one by one. */
const admitOneByOne = `CREATE FUNCTION "admit_one_by_one"(
     owner_ids uuid[], metrics text[], periods text[], amounts bigint[], asks admission_ask[]
   ) RETURNS json LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE limit_counters AS counter
     SET level = counter.level - CASE charged.metric WHEN 'requests' THEN charged.amount ELSE 0 END,
       reserved = counter.reserved - CASE charged.metric WHEN 'requests' THEN 0 ELSE charged.amount END
     FROM unnest(owner_ids, metrics, periods, amounts) AS charged (owner_id, metric, per, amount)
     WHERE counter.owner_id = charged.owner_id AND counter.metric = charged.metric AND counter.per = charged.per;
     RETURN admit_requests(asks);
   END
   $$`;
