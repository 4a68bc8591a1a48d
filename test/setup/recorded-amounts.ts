import { type MeterAmounts, meters } from '../../src/common/rules/meters.js';
import type { TestApp } from './test-app.js';

/** What a model was recorded to have used, over all keys, without zeros. */
export type RecordedAmounts = MeterAmounts & { readonly requests: number; readonly failures: number };

/** Returns the recorded usage of a model; zeros without any. */
export async function readAmounts({ query }: Pick<TestApp, 'query'>, model: string): Promise<RecordedAmounts> {
  const sums = meters.map(({ name, column }) => `coalesce(sum(${column}), 0)::int as "${name}"`);
  const [row] = await query<Record<string, number>>(
    `select coalesce(sum(requests), 0)::int as requests, coalesce(sum(failures), 0)::int as failures, ${sums.join()}
     from usage where model = $1`,
    [model],
  );
  const { requests = 0, failures = 0, ...amounts } = row ?? {};
  return { requests, failures, ...Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0)) };
}
