/**
 * A program that adds a meter in memory, records an amount of it, and prints what reports say of it. In a process of its
 * own, because modules load the meters once.
 */
import type { MeterName } from '../../src/common/rules/meters.js';
import { meters, toMeter } from '../../src/common/rules/meters.js';
import type { CountedOutput } from './added-meter.e2e-spec.js';

// TypeScript only knows the meters of the list.
const name = 'spokenSeconds' as MeterName;
const description = 'Number of seconds spoken.';
meters.push(toMeter(name, { unit: 'request', title: 'Spoken seconds', description, example: 3 }));

const { createTestDatabase, administrate } = await import('../setup/test-database.js');
const { startTestApp } = await import('../setup/test-app.js');
const { createMember } = await import('../factories/organizations.js');
const { createApiKey } = await import('../factories/api-keys.js');
const { recordUsage } = await import('../factories/usage.js');
const { MetricsService } = await import('../../src/metrics/metrics.service.js');

const database = await createTestDatabase();
await administrate(database.connection, 'alter table usage add spoken_seconds bigint');
for (const table of ['usage_by_hour', 'usage_by_day', 'usage_by_month']) {
  await administrate(database.connection, `alter table ${table} add spoken_seconds bigint[]`);
}
const metrics = { host: '127.0.0.1', port: 0 };
const service = await startTestApp({ database: database.connection, config: { metrics } });
try {
  const member = await createMember(service);
  const { id: apiKeyId } = await createApiKey(service, member);
  const fact = { organizationId: member.organizationId, apiKeyId };
  await recordUsage(service, [{ ...fact, [name]: 40 }, { ...fact, [name]: 2 }, fact]);
  const read = async (url: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${member.token}` } });
    return response.text();
  };
  const output: CountedOutput = {
    report: JSON.parse(await read(`${service.url}/usage?interval=none`)) as CountedOutput['report'],
    csv: await read(`${service.url}/usage/export?interval=none`),
    metrics: await read(service.app.get(MetricsService).url ?? ''),
  };
  console.log(JSON.stringify(output));
} finally {
  await service.stop();
  await database.drop();
}
