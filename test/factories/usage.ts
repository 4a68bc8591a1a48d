import { UsageRecorderService } from '../../src/usage/usage-recorder.service.js';
import { usageColumns } from '../../src/usage/usage-columns.js';
import type { UsageFact } from '../../src/usage/write-usage.js';
import type { TestApp } from '../setup/test-app.js';

/** A request, by default a successful one of 10 ms. */
export type SomeFact = Pick<UsageFact, 'organizationId' | 'apiKeyId'> & Partial<UsageFact>;

/** Records requests through the service in the current hour. */
export async function recordUsage({ app }: TestApp, facts: SomeFact[]): Promise<void> {
  const recorder = app.get(UsageRecorderService);
  const anyFact = { model: 'some-model', outcome: 'success' as const, inputTokens: 0, pages: 0, milliseconds: 10 };
  await Promise.all(facts.map((fact) => recorder.record({ ...anyFact, ...fact })));
}

const columns = usageColumns.map(({ column }) => column);

/** Records requests in another hour. */
export async function recordUsageAt(service: TestApp, instant: string, facts: SomeFact[]): Promise<void> {
  await recordUsage(service, facts);
  // The rows may be in two hours, if the hour has just changed.
  await service.query(
    `with moved as (
       delete from usage where organization_id = any($2) and hour > now() - interval '2 hours' returning *
     )
     insert into usage (
       organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited, microseconds,
       ${columns.join(', ')}
     )
     select organization_id, date_trunc('hour', $1::timestamptz, 'UTC'), api_key_id, model, latency_bucket,
       sum(requests), sum(failures), sum(limited), sum(microseconds),
       ${columns.map((column) => `sum(${column})`).join(', ')}
     from moved group by organization_id, api_key_id, model, latency_bucket`,
    [instant, facts.map(({ organizationId }) => organizationId)],
  );
}
