import { DataSource } from 'typeorm';
import type { TestApp } from './test-app.js';

/** Recorded usage of a key or organization. */
export interface RecordedUsage {
  requests: number;
  failures: number;
  inputTokens: number;
  pages: number;
}

/** Returns committed usage by key id, with zeros for unused keys. */
export async function readRecordedUsage({ query }: TestApp, apiKeyIds: string[]): Promise<Map<string, RecordedUsage>> {
  const rows = await query<RecordedUsage & { id: string }>(
    `select id, coalesce(sum(requests), 0)::int as requests, coalesce(sum(failures), 0)::int as failures,
       coalesce(sum(input_tokens), 0)::int as "inputTokens", coalesce(sum(pages), 0)::int as pages
     from unnest($1::uuid[]) as id left join usage on api_key_id = id group by id`,
    [apiKeyIds],
  );
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}

/** Whether a statement of the usage recorder waits for a lock. */
export async function isRecorderBlocked({ query }: TestApp): Promise<boolean> {
  const blocked = await query(
    `select 1 from pg_stat_activity where datname = current_database()
     and application_name = 'keycard usage recorder' and wait_event_type = 'Lock'`,
  );
  return blocked.length > 0;
}

/** Whether a statement of the usage recorder is running. */
export async function isRecorderBusy({ query }: TestApp): Promise<boolean> {
  const busy = await query(
    `select 1 from pg_stat_activity where datname = current_database()
     and application_name = 'keycard usage recorder' and state = 'active'`,
  );
  return busy.length > 0;
}

/** Blocks usage writes until the returned function is called. */
export async function blockUsage({ app }: TestApp): Promise<() => Promise<void>> {
  const blocker = app.get(DataSource).createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('lock table usage in exclusive mode');
  return async () => {
    await blocker.rollbackTransaction();
    await blocker.release();
  };
}
