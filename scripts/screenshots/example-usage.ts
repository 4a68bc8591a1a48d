import { RetentionService } from '../../src/retention/retention.service.js';
import { latencyBucketOf } from '../../src/usage/latency-buckets.js';
import type { TestApp } from '../../test/setup/test-app.js';
import type { ExampleKey } from './example-keys.js';

const hours = 62 * 24;
const hourMilliseconds = 3_600_000;

/** Random numbers between 0 and 1, identical in each run (mulberry32 with a fixed seed). */
export function createRandom(): () => number {
  let state = 20_260_101;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Activity between 0 and 1, by time of day and weekday. It grows from month to month. */
function activityAt(time: Date): number {
  const isWeekend = [0, 6].includes(time.getUTCDay());
  const day = (1 - Math.cos(((time.getUTCHours() - 2) / 24) * 2 * Math.PI)) / 2;
  const daysAgo = (Date.now() - time.getTime()) / (24 * hourMilliseconds);
  return (0.15 + 0.85 * day) * (isWeekend ? 0.35 : 1) * (1 - daysAgo / 250);
}

/**
 * Inserts two months of usage for each key, starting at its creation.
 *
 * @returns what the busiest key cost this month, in billionths
 */
export async function insertExampleUsage(
  { app, query }: TestApp,
  organizationId: string,
  keys: ExampleKey[],
): Promise<string> {
  const random = createRandom();
  const lastHour = Math.floor(Date.now() / hourMilliseconds) * hourMilliseconds;
  const rows = Array.from({ length: hours }, (_, hour) => new Date(lastHour - hour * hourMilliseconds)).flatMap(
    (hour) => keys.filter((key) => existed(key, hour)).map((key) => ({ hour, ...requestsOf(key, hour, random) })),
  );
  const [busiest] = await query<{ cost: string }>(
    `with inserted as (
       insert into usage (organization_id, hour, api_key_id, model, latency_bucket, requests, failures, input_tokens,
         pages, microseconds, priced_requests, cost)
       select $1, hour, "apiKeyId", model, "latencyBucket", requests, failures, "inputTokens", pages, microseconds,
         requests, "inputTokens" * 2000 + pages * 1000000
       from jsonb_to_recordset($2) as row (hour timestamptz, "apiKeyId" uuid, model text, "latencyBucket" smallint,
         requests bigint, failures bigint, "inputTokens" bigint, pages bigint, microseconds bigint)
       where requests > 0
       returning api_key_id, hour, cost
     )
     select sum(cost) as cost from inserted where api_key_id = $3 and hour >= date_trunc('month', now(), 'UTC')`,
    [organizationId, JSON.stringify(rows), keys[0]?.id],
  );
  await app.get(RetentionService).run();
  return busiest?.cost ?? '0';
}

function existed({ createdDaysAgo, usedDaysAgo = 0 }: ExampleKey, hour: Date): boolean {
  const daysAgo = (Date.now() - hour.getTime()) / (24 * hourMilliseconds);
  return daysAgo < createdDaysAgo && daysAgo >= usedDaysAgo;
}

function requestsOf({ id, model, requestsPerHour }: ExampleKey, hour: Date, random: () => number) {
  const requests = Math.round(requestsPerHour * activityAt(hour) * (0.7 + 0.6 * random()));
  const isOcr = model === 'tesseract';
  const milliseconds = (isOcr ? 1400 : 9) * (0.7 + 0.8 * random());
  return {
    apiKeyId: id,
    model,
    latencyBucket: latencyBucketOf(milliseconds),
    requests,
    failures: Math.round(requests * 0.02 * random()),
    inputTokens: isOcr ? 0 : Math.round(requests * (40 + 30 * random())),
    pages: isOcr ? Math.round(requests * (1 + random())) : 0,
    microseconds: Math.round(requests * milliseconds * 1000),
  };
}
