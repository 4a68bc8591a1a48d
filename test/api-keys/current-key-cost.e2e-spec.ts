import type { CurrentApiKeyDto } from '../../src/api-keys/dto/current-api-key.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { pricedModels } from '../factories/models.js';
import { createMember, type Member } from '../factories/organizations.js';
import { runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp({ config: { models: pricedModels({ perRequest: '0.25' }), currency: 'EUR' } });
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const readCost = async () =>
  ((await call(service.url, 'GET /v1/key', { token: apiKey.key })).body as CurrentApiKeyDto).cost;

/** Records a cost in billionths in the UTC hour of a time, which is SQL. */
const record = (time: string, cost: string, keyId = apiKey.id) =>
  service.query(
    `insert into usage (organization_id, hour, api_key_id, model, latency_bucket, requests, failures, microseconds, priced_requests, cost)
     values ($1, date_trunc('hour', ${time}, 'UTC'), $2, 'small', 0, 1, 0, 0, 1, $3)
     on conflict (organization_id, hour, api_key_id, model, latency_bucket) do update set cost = usage.cost + excluded.cost`,
    [member.organizationId, keyId, cost],
  );

const monthIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(new Date()).slice(0, 7);

describe('The cost in GET /v1/key', () => {
  it('should be zero at first, in the currency of the models file', async () => {
    expect(await readCost()).toEqual({ currency: 'EUR', month: monthIn('UTC'), amount: '0' });
  });

  it('should include the latest request', async () => {
    const body = { model: 'universal-sentence-encoder-lite', input: 'text' };
    expect((await call(service.url, 'POST /v1/embeddings', { token: apiKey.key, body })).status).toBe(200);
    await waitFor(async () => (await readCost())?.amount === '0.25');
  });

  it.each([false, true])('should be exact, and of the key and the month only, packed or not (%s)', async (isPacked) => {
    const start = `date_trunc('month', now(), 'UTC')`;
    const other = await createApiKey(service, member);
    await record(start, '9007199254740993');
    await record('now()', '2');
    await record(`${start} - interval '1 hour'`, '1000');
    await record('now()', '5', other.id);
    if (isPacked) await runRetention(service);
    expect((await readCost())?.amount).toBe('9007199.254740995');
  });

  it.each(['Pacific/Kiritimati', 'Asia/Kolkata', 'Pacific/Pago_Pago'])(
    'should be of the month in the time zone %s',
    async (timeZone) => {
      await call(service.url, 'PATCH /organizations/current', { token: member.token, body: { timeZone } });
      const start = `date_trunc('month', now(), '${timeZone}')`;
      await record(start, '2');
      await record(`${start} - interval '1 hour'`, '4');
      expect(await readCost()).toEqual({ currency: 'EUR', month: monthIn(timeZone), amount: '0.000000002' });
    },
  );
});

describe('The cost in GET /v1/key of a service without prices', () => {
  const unpriced = useTestApp();

  it('should be null', async () => {
    const { key: token } = await createApiKey(unpriced, await createMember(unpriced));
    expect((await call(unpriced.url, 'GET /v1/key', { token })).body).toMatchObject({ cost: null });
  });
});
