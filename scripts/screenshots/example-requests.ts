import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { FailureBatch } from '../../src/usage/failures/failure-batch.js';
import { writeFailures } from '../../src/usage/failures/failure-queries.js';
import { RequestBatch } from '../../src/usage/requests/request-batch.js';
import { writeRequests } from '../../src/usage/requests/request-queries.js';
import type { TestApp } from '../../test/setup/test-app.js';
import type { ExampleKey } from './example-keys.js';
import { createRandom } from './example-usage.js';

const requestsPerKey = 40;
const failureShare = 0.1;
/** Billionths of the currency, at 2.00 per million tokens. */
const costPerToken = 2000n;

/** Logs the latest requests of the keys that are used for embeddings. */
export async function insertExampleRequests({ app }: TestApp, keys: ExampleKey[]): Promise<void> {
  const random = createRandom();
  const requests = new RequestBatch();
  const failures = new FailureBatch();
  for (const { id, model, usedDaysAgo, requestsPerHour } of keys) {
    if (usedDaysAgo === undefined || model === 'tesseract') continue;
    let time = Date.now() - usedDaysAgo * 24 * 3_600_000;
    for (let count = 0; count < requestsPerKey; count++) {
      time -= (random() * 7_200_000) / requestsPerHour;
      const common = {
        occurredAt: new Date(time),
        route: 'POST /v1/embeddings',
        model,
        address: `192.0.2.${10 + Math.floor(random() * 3)}`,
        requestId: uuidv7(),
      };
      const inputTokens = Math.round(20 + 80 * random());
      const milliseconds = 8 + 10 * random();
      if (random() < failureShare) {
        const invalid = { status: 400, code: 'validation-failed', invalidFields: ['input'] } as const;
        failures.add({ ...common, ...invalid, key: { apiKeyId: id }, requestedModel: model, exceededLimit: null });
        requests.add(id, { ...common, status: 400, outcome: 'failure', milliseconds, cost: null, used: {} });
      } else {
        const cost = BigInt(inputTokens) * costPerToken;
        requests.add(id, { ...common, status: 200, outcome: 'success', milliseconds, cost, used: { inputTokens } });
      }
    }
  }
  await writeRequests(app.get(DataSource), requests);
  await writeFailures(app.get(DataSource), failures);
}
