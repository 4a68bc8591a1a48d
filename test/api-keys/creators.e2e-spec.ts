import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { createApiKey, createApiKeyWith } from '../factories/api-keys.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let ada: Member;
let grace: Member;

beforeEach(async () => {
  ada = await createMember(service, { name: 'ada Lovelace' });
  grace = await createColleague(service, ada, 'Grace Hopper');
});

const list = (query: string, { token } = ada) => call(service.url, `GET /api-keys?${query}`, { token });
const keysOf = async (query: string, member = ada) => ((await list(query, member)).body as ApiKeyListDto).apiKeys;
const namesOf = async (query: string, member = ada) => (await keysOf(query, member)).map(({ name }) => name);

/** Creates a key with a service account named Pipeline. */
async function createKeyOfPipeline(): Promise<string> {
  const account = await createServiceAccount(service, ada);
  await service.query("update service_accounts set name = 'Pipeline' where id = $1", [account.id]);
  await createApiKeyWith(service, { token: await tokenOf(service, account) }, 'Of Pipeline');
  return account.id;
}

describe('The creators in GET /api-keys', () => {
  it('should be returned for users and service accounts, but only if asked for', async () => {
    await createApiKey(service, ada, 'Of Ada');
    const id = await createKeyOfPipeline();
    expect(await keysOf('include=creator&order=ASC')).toMatchObject([
      { createdBy: { id: ada.userId, name: 'ada Lovelace', email: `${ada.userId}@example.com` } },
      { createdByServiceAccount: { id, name: 'Pipeline' } },
    ]);
    for (const key of await keysOf('')) {
      expect(key).not.toHaveProperty('createdBy');
      expect(key).not.toHaveProperty('createdByServiceAccount');
    }
  });

  it('should filter keys, also those of removed members and service accounts', async () => {
    await createApiKey(service, ada, 'Of Ada');
    await createApiKey(service, grace, 'Of Grace');
    const id = await createKeyOfPipeline();
    await removeMember(service, grace, ada);
    expect(await namesOf(`creatorId=${grace.userId}`)).toEqual(['Of Grace']);
    expect(await namesOf(`creatorId=${grace.userId.toUpperCase()}`)).toEqual(['Of Grace']);
    expect(await namesOf(`creatorId=${id}`)).toEqual(['Of Pipeline']);
    expect((await list(`creatorId=${ada.organizationId}`)).body).toMatchObject({ total: 0, apiKeys: [] });
    expect((await list(`creatorId=${ada.userId}&name=of`)).body).toMatchObject({ total: 1 });
  });

  it('should sort keys by name, ignoring case, with unknown creators last', async () => {
    const orphan = await createApiKey(service, ada, 'Of no one');
    await service.query('update api_keys set created_by_id = null where id = $1', [orphan.id]);
    await createKeyOfPipeline();
    await createApiKey(service, grace, 'Of Grace');
    await createApiKey(service, ada, 'Of Ada');
    await createApiKey(service, ada, 'Of Ada, too');
    const sorted = ['Of Ada', 'Of Ada, too', 'Of Grace', 'Of Pipeline', 'Of no one'];
    expect(await namesOf('orderBy=creator&order=ASC')).toEqual(sorted);
    expect(await namesOf('orderBy=creator&order=DESC')).toEqual(sorted.toReversed());
    const pages = await Promise.all(
      [1, 2, 3].map((page) => namesOf(`orderBy=creator&order=ASC&perPage=2&page=${page}`)),
    );
    expect(pages.flat()).toEqual(sorted);
  });

  it('should sort the keys of a filter', async () => {
    await createApiKey(service, ada, 'Search of Ada');
    await createApiKey(service, grace, 'Search of Grace');
    await createApiKey(service, grace, 'Invoices');
    const filter = 'orderBy=creator&include=creator&name=search';
    expect(await keysOf(`${filter}&order=DESC`)).toMatchObject([
      { name: 'Search of Grace', createdBy: { name: 'Grace Hopper' } },
      { name: 'Search of Ada', createdBy: { name: 'ada Lovelace' } },
    ]);
  });

  it("should only concern the organization's own keys", async () => {
    const other = await createMember(service);
    const { id } = await createApiKey(service, other, 'Elsewhere');
    await service.query('update api_keys set created_by_id = $2 where id = $1', [id, grace.userId]);
    await createApiKey(service, grace, 'Here');
    for (const query of [`creatorId=${grace.userId}`, 'orderBy=creator', 'include=creator']) {
      expect(await namesOf(query)).toEqual(['Here']);
    }
    expect(await namesOf(`creatorId=${grace.userId}`, other)).toEqual(['Elsewhere']);
  });

  it.each(['creatorId=', 'creatorId=ada', 'include=', 'include=usage', 'include=creator&include=creator'])(
    'should return 400 for %s',
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );
});
