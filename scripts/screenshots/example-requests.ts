import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { FailureBatch } from '../../src/usage/failures/failure-batch.js';
import { maxFailuresPerKey, writeFailures } from '../../src/usage/failures/failure-queries.js';
import { RequestBatch } from '../../src/usage/requests/request-batch.js';
import { loggedDays, writeRequests } from '../../src/usage/requests/request-queries.js';
import type { TestApp } from '../../test/setup/test-app.js';
import { daysAgo } from './days-ago.js';
import type { ExampleKey } from './example-keys.js';
import type { ExampleRequest } from './example-traffic.js';

/** More than Keycard keeps of a key. */
const latest = { successes: 750, failures: 350 };
/** Of each key: a chunk of the log, and what a batch keeps of failures with the same cause. */
const batchSizes = { requests: 50, failures: 20 };

interface KeyTraffic {
  key: ExampleKey;
  /** Oldest first. */
  requests: readonly ExampleRequest[];
}

type IdentifiedRequest = ExampleRequest & { requestId: string };

/** Logs the latest requests and failures of keys. Doesn't count the failures. */
export async function insertExampleRequests(
  { app, query }: TestApp,
  organizationId: string,
  traffic: readonly KeyTraffic[],
): Promise<void> {
  const dataSource = app.get(DataSource);
  const latestOf = traffic.map(({ key, requests }) => {
    const recent = requests.filter(({ occurredAt }) => occurredAt > daysAgo(loggedDays)).map(identify);
    const failures = recent.filter(({ cause }) => cause !== undefined).slice(-latest.failures);
    const successes = recent.filter(({ cause }) => cause === undefined).slice(-latest.successes);
    return { key, failures, requests: [...successes, ...failures] };
  });
  for (let start = 0; start < latest.successes + latest.failures; start += batchSizes.requests) {
    const batch = new RequestBatch();
    for (const { key, requests } of latestOf)
      addRequests(batch, key, requests.slice(start, start + batchSizes.requests));
    if (!batch.isEmpty) await writeRequests(dataSource, batch);
  }
  for (let start = 0; start < maxFailuresPerKey; start += batchSizes.failures) {
    const batch = new FailureBatch();
    for (const { key, failures } of latestOf) {
      addFailures(batch, key, failures.slice(-maxFailuresPerKey).slice(start, start + batchSizes.failures));
    }
    if (!batch.isEmpty) await writeFailures(dataSource, batch);
  }
  // They were counted now instead of when they occurred.
  await query('delete from failure_counts where organization_id = $1', [organizationId]);
}

const identify = (request: ExampleRequest): IdentifiedRequest => ({ ...request, requestId: uuidv7() });

const routeOf = ({ model }: ExampleKey) => (model === 'tesseract' ? 'POST /v1/ocr' : 'POST /v1/embeddings');

function addRequests(batch: RequestBatch, key: ExampleKey, requests: readonly IdentifiedRequest[]): void {
  for (const { occurredAt, cause, milliseconds, inputTokens, pages, cost, address, requestId } of requests) {
    batch.add(key.id, {
      occurredAt,
      route: routeOf(key),
      model: key.model,
      status: cause?.status ?? 200,
      outcome: cause === undefined ? 'success' : 'failure',
      milliseconds,
      address,
      requestId,
      cost: BigInt(cost),
      used: { inputTokens, pages },
    });
  }
}

function addFailures(batch: FailureBatch, key: ExampleKey, requests: readonly IdentifiedRequest[]): void {
  for (const { occurredAt, cause, address, requestId } of requests) {
    if (cause === undefined) continue;
    const { model } = key;
    batch.add({
      ...{ key: { apiKeyId: key.id }, occurredAt, route: routeOf(key), model, requestedModel: model },
      ...{ ...cause, exceededLimit: null, requestId, address },
    });
  }
}
