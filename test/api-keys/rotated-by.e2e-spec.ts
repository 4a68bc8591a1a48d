import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { createApiKey, createApiKeyWith, rotateApiKey } from '../factories/api-keys.js';
import { addMembership, createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let ada: Member;
let grace: Member;

beforeEach(async () => {
  ada = await createMember(service);
  grace = await createColleague(service, ada, 'Grace Hopper');
});

const list = (query: string, { token }: { token: string } = ada) =>
  call(service.url, `GET /api-keys?${query}`, { token });
const namesOf = async (rotatedById: string, member: { token: string } = ada) =>
  ((await list(`rotatedById=${rotatedById}&orderBy=name&order=ASC`, member)).body as ApiKeyListDto).apiKeys.map(
    ({ name }) => name,
  );

describe('The filter rotatedById of GET /api-keys', () => {
  it('should find keys of others that the member rotated, and none that they created', async () => {
    await createApiKey(service, ada, 'Not rotated');
    await rotateApiKey(service, await createApiKey(service, ada, 'Of Ada'), grace);
    await rotateApiKey(service, await createApiKey(service, grace, 'Of Grace'), grace);
    await rotateApiKey(service, await createApiKey(service, grace, 'Of Grace, too'), ada);
    expect(await namesOf(grace.userId)).toEqual(['Of Ada']);
    expect(await namesOf(ada.userId)).toEqual(['Of Grace, too']);
    expect((await list(`rotatedById=${grace.userId}&name=grace`)).body).toMatchObject({ total: 0, apiKeys: [] });
  });

  it('should find keys rotated together, by service accounts, and by former members', async () => {
    const keys = [await createApiKey(service, ada, 'First'), await createApiKey(service, ada, 'Second')];
    const body = { ids: keys.map(({ id }) => id), gracePeriodSeconds: 0 };
    await call(service.url, 'POST /api-keys/bulk-rotate', { token: grace.token, body });
    await removeMember(service, grace, ada);
    expect(await namesOf(grace.userId)).toEqual(['First', 'Second']);
    const account = await createServiceAccount(service, ada);
    const token = await tokenOf(service, account);
    await rotateApiKey(service, await createApiKey(service, ada, 'By the pipeline'), { token });
    await createApiKeyWith(service, { token }, 'Of the pipeline');
    expect(await namesOf(account.id)).toEqual(['By the pipeline']);
  });

  it('should find keys with an earlier secret only while that secret is accepted', async () => {
    const key = await createApiKey(service, ada, 'Search indexer');
    await rotateApiKey(service, key, grace);
    await rotateApiKey(service, key, ada, 3600);
    expect(await namesOf(grace.userId)).toEqual(['Search indexer']);
    await service.query(`update api_keys set previous_secret_expires_at = now() where id = $1`, [key.id]);
    expect(await namesOf(grace.userId)).toEqual([]);
    await rotateApiKey(service, key, grace);
    expect(await namesOf(grace.userId)).toEqual(['Search indexer']);
    await rotateApiKey(service, key, ada);
    expect(await namesOf(grace.userId)).toEqual([]);
  });

  it('should find keys of the current organization only', async () => {
    const other = await createMember(service);
    const graceElsewhere = await addMembership(service, { ...other, userId: grace.userId });
    await rotateApiKey(service, await createApiKey(service, other, 'Elsewhere'), graceElsewhere);
    await rotateApiKey(service, await createApiKey(service, ada, 'Here'), grace);
    expect(await namesOf(grace.userId)).toEqual(['Here']);
    expect(await namesOf(grace.userId, other)).toEqual(['Elsewhere']);
    expect(await namesOf(grace.userId, await createMember(service))).toEqual([]);
  });

  it('should require the permission to list keys', async () => {
    await rotateApiKey(service, await createApiKey(service, ada, 'Search indexer'), grace);
    const { organizationId } = ada;
    const reader = await createMember(service, { organizationId, permissions: ['get-api-keys'] });
    expect(await namesOf(grace.userId, reader)).toEqual(['Search indexer']);
    const auditor = await createMember(service, { organizationId, permissions: ['get-audit-events'] });
    expect((await list(`rotatedById=${grace.userId}`, auditor)).status).toBe(403);
  });

  it.each(['rotatedById=', 'rotatedById=grace'])('should return 400 for %s', async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});
