import { DataSource } from 'typeorm';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service, replica] = useReplicas({ config: { models: defaultModels() } });
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const manage = (route: string, body?: unknown) => call(service.url, route, { token: member.token, body });
const perDay = (max: number) => ({ limits: [{ metric: 'requests', per: 'day', max }] });
const list = async ({ url } = replica, { key: token } = apiKey) =>
  (await call(url, 'GET /v1/models', { token })).status;

describe('The limits of an API key', () => {
  it('should apply to the next request on every replica', async () => {
    await manage(`PATCH /api-keys/${apiKey.id}`, perDay(2));
    expect([await list(), await list(service), await list(), await list(service)]).toEqual([200, 200, 429, 429]);
    await manage(`PATCH /api-keys/${apiKey.id}`, perDay(3));
    expect([await list(), await list(service)]).toEqual([200, 429]);
    await manage(`PATCH /api-keys/${apiKey.id}`, { limits: [] });
    expect([await list(), await list(service)]).toEqual([200, 200]);
  });

  it('should apply to the first request of a new key', async () => {
    const { body } = await manage('POST /api-keys', { name: 'Scanner', ...perDay(1) });
    const created = { id: '', key: (body as { key: string }).key };
    expect([await list(replica, created), await list(replica, created)]).toEqual([200, 429]);
  });

  it('should include the requests of the day, and their rejections be counted', async () => {
    const body = { model: 'universal-sentence-encoder-lite', input: 'text' };
    const embed = async () => (await call(replica.url, 'POST /v1/embeddings', { token: apiKey.key, body })).status;
    expect([await embed(), await embed()]).toEqual([200, 200]);
    await manage(`PATCH /api-keys/${apiKey.id}`, perDay(3));
    expect([await embed(), await embed()]).toEqual([200, 429]);
    const { limits } = (await manage(`GET /api-keys/${apiKey.id}`)).body as ApiKeyDetailsDto;
    expect(limits).toMatchObject([{ used: 3, remaining: 0 }]);
    const totals = async () => ((await manage('GET /usage')).body as UsageReportDto).groups[0]?.totals;
    await waitFor(async () => (await totals())?.limited === 1);
    expect(await totals()).toMatchObject({ requests: 3, failures: 0, limited: 1 });
  });

  it('should neither delay requests nor change before the change is committed', async () => {
    await manage(`PATCH /api-keys/${apiKey.id}`, perDay(1000));
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('lock table audit_events in access exclusive mode');
    const changes = [
      manage(`PATCH /api-keys/${apiKey.id}`, {
        limits: [...perDay(1).limits, { metric: 'pages', per: 'day', max: 1 }],
      }),
      manage('PATCH /organizations/current', perDay(1)),
    ];
    await waitFor(async () => (await countLockWaits(service)) === 2);
    expect([await list(), await list(service)]).toEqual([200, 200]);
    await blocker.rollbackTransaction();
    await blocker.release();
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
    expect([await list(), await list(service)]).toEqual([429, 429]);
  });
});

describe('The limits of an organization', () => {
  it('should apply to the next request of all keys on every replica, including new ones', async () => {
    const second = await createApiKey(service, member);
    await manage('PATCH /organizations/current', perDay(2));
    expect([await list(), await list(service, second), await list()]).toEqual([200, 200, 429]);
    const created = await createApiKey(service, member);
    expect([await list(replica, created), await list(service, second)]).toEqual([429, 429]);
    await manage('PATCH /organizations/current', { limits: [] });
    expect([await list(), await list(replica, created), await list(service, second)]).toEqual([200, 200, 200]);
  });

  it('should not limit the keys of other organizations', async () => {
    const foreign = await createApiKey(service, await createMember(service));
    await manage('PATCH /organizations/current', perDay(1));
    expect([await list(), await list(), await list(replica, foreign)]).toEqual([200, 429, 200]);
  });
});
