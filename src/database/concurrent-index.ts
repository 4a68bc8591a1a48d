import type { QueryRunner } from 'typeorm';

/**
 * Creates an index without blocking writes, for migrations with `transaction = false`. Replaces an invalid index left by
 * an interrupted attempt and keeps a valid one, so the migration can run again. A restore runs it in a transaction, in a
 * database that no one else uses.
 *
 * @param definition the SQL after the name, such as `on api_keys (organization_id)`
 */
export async function createIndexConcurrently(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  const [found] = (await queryRunner.query(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [`"${name}"`],
  )) as { isValid: boolean }[];
  if (found?.isValid === true) return;
  if (found !== undefined) await dropIndexConcurrently(queryRunner, name);
  const concurrently = queryRunner.isTransactionActive ? '' : 'concurrently';
  await withoutLockTimeout(
    queryRunner,
    `create ${unique ? 'unique ' : ''}index ${concurrently} "${name}" ${definition}`,
  );
}

/**
 * Drops an index, if it exists, without blocking reads or writes; for migrations with `transaction = false`. Reverting a
 * migration is a transaction, in which the table is locked for a moment.
 */
export async function dropIndexConcurrently(queryRunner: QueryRunner, name: string): Promise<void> {
  if (queryRunner.isTransactionActive) await queryRunner.query(`drop index if exists "${name}"`);
  else await withoutLockTimeout(queryRunner, `drop index concurrently if exists "${name}"`);
}

/** These statements wait for all older transactions but block nothing, so they need no limit. */
async function withoutLockTimeout(queryRunner: QueryRunner, statement: string): Promise<void> {
  const [setting] = (await queryRunner.query(`select current_setting('lock_timeout') as value`)) as { value: string }[];
  await queryRunner.query('set lock_timeout = 0');
  try {
    await queryRunner.query(statement);
  } finally {
    await queryRunner.query(`select set_config('lock_timeout', $1, false)`, [setting?.value ?? '0']);
  }
}
