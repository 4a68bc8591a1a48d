import { useTestApp } from '../setup/use-test-app.js';
import { KeyUsage } from './key-usage.js';

const service = useTestApp();

/** Makes reading usage take longer than queries may. */
const slowDown = `
  alter table usage rename to recorded_usage;
  create view usage as select recorded_usage.* from recorded_usage cross join (select pg_sleep(8)) as delay`;

describe('GET /usage', () => {
  it('should say what to change if a report takes longer than queries may', async () => {
    const usage = await KeyUsage.create(service);
    await usage.recordAt(new Date().toISOString(), usage.facts(1));
    await service.query(slowDown);
    const { status, headers, body } = await usage.get();
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(body).toMatchObject({
      code: 'database-unavailable',
      detail:
        'Reading this report takes too long. Choose a shorter period, fewer keys or another grouping, or try again shortly.',
    });
  });
});
