import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import { ExpiredKeysService } from '../../src/api-keys/expired/expired-keys.service.js';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const create = (body: object, { token } = owner) =>
  call(service.url, 'POST /api-keys', { token, body: { name: 'Playground', ...body } });

/** Creates a key that expires in an hour, and returns its id. */
async function createKey(deleteWhenExpired: boolean, member = owner): Promise<string> {
  const { headers } = await create({ expiresAt: inAnHour(), deleteWhenExpired }, member);
  return headers.get('location')?.split('/').at(-1) ?? '';
}

const get = async (id: string) => call(service.url, `GET /api-keys/${id}`, { token: owner.token });
const statusOf = async (id: string) => (await get(id)).status;
/** Lets a key have expired some minutes ago. */
const expire = (id: string, minutes: number) =>
  service.query(`update api_keys set expires_at = now() - $2 * interval '1 minute' where id = $1`, [id, minutes]);
/** Both replicas look at the same time. */
const look = () => Promise.all([service, replica].map(({ app }) => app.get(ExpiredKeysService).run()));

describe('A key created with deleteWhenExpired', () => {
  it('should say so, and record it', async () => {
    const id = await createKey(true);
    expect((await get(id)).body as ApiKeyDetailsDto).toMatchObject({ deleteWhenExpired: true });
    expect(await readAuditEvents(service, { targetId: id })).toMatchObject([
      { action: 'api-key.create', after: { deleteWhenExpired: true } },
    ]);
    expect((await get(await createKey(false))).body).toMatchObject({ deleteWhenExpired: false });
  });

  it('should not count as expiring soon, unlike others', async () => {
    await createKey(true);
    const id = await createKey(false);
    const list = await call(service.url, 'GET /api-keys?state=expiring', { token: owner.token });
    expect(list.body).toMatchObject({ total: 1, apiKeys: [{ id }] });
    const { body } = await call(service.url, 'GET /overview', { token: owner.token });
    const { attention } = body as OverviewDto;
    expect(attention.find(({ kind }) => kind === 'expiring-keys')).toMatchObject({ count: 1, first: [{ id }] });
  });

  it('should be deleted five minutes after it has expired, by one replica, in the name of the system', async () => {
    const id = await createKey(true);
    await look();
    expect(await statusOf(id)).toBe(200);
    await expire(id, 4);
    await look();
    expect(await statusOf(id)).toBe(200);
    await expire(id, 6);
    await look();
    expect(await statusOf(id)).toBe(404);
    const events = await readAuditEvents(service, { targetId: id });
    expect(events.filter(({ action }) => action === 'api-key.delete')).toMatchObject([
      { actorKind: 'system', targetName: 'Playground' },
    ]);
    const kept = await service.query('select name from deleted_api_keys where id = $1', [id]);
    expect(kept).toEqual([{ name: 'Playground' }]);
  });

  it('should be the only one that is deleted, in each organization', async () => {
    const stranger = await createMember(service);
    const kept = await createKey(false);
    const deleted = [await createKey(true), await createKey(true, stranger)];
    for (const id of [kept, ...deleted]) await expire(id, 60);
    await look();
    expect(await statusOf(kept)).toBe(200);
    expect(await service.query('select id from api_keys where id = any ($1::uuid[])', [deleted])).toEqual([]);
    const foreign = await readAuditEvents(service, { organizationId: stranger.organizationId });
    expect(foreign.map(({ targetId }) => targetId)).toEqual([deleted[1], deleted[1]]);
  });

  it('should stay if its expiry is moved or removed', async () => {
    const [moved, removed] = [await createKey(true), await createKey(true)];
    for (const [id, expiresAt] of [
      [moved, inAnHour()],
      [removed, null],
    ] as const) {
      await expire(id, 60);
      await call(service.url, `PATCH /api-keys/${id}`, { token: owner.token, body: { expiresAt } });
    }
    await look();
    expect(await Promise.all([moved, removed].map(statusOf))).toEqual([200, 200]);
  });
});

describe('POST /api-keys with deleteWhenExpired', () => {
  it.each([
    ['true without an expiry', { deleteWhenExpired: true }],
    ['text', { deleteWhenExpired: 'true', expiresAt: inAnHour() }],
    ['null', { deleteWhenExpired: null, expiresAt: inAnHour() }],
  ])('should return 400 for %s, and create no key', async (_, body) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'deleteWhenExpired' }] });
    expect((await call(service.url, 'GET /api-keys', { token: owner.token })).body).toMatchObject({ total: 0 });
  });
});
