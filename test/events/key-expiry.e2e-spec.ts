import { ExpiryNoticesService } from '../../src/events/key-expiry/expiry-notices.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';
import { readEvents } from './read-events.js';

const [service, replica] = useReplicas();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const dayMilliseconds = 86_400_000;

/** Creates a key a month ago that expires in so many days. */
async function createOldKey(days: number): Promise<string> {
  const { id } = await createApiKey(service, owner, 'Search indexer', new Date(Date.now() + 30 * dayMilliseconds));
  await service.query(
    `update api_keys set created_at = now() - interval '30 days', expires_at = now() + $2 * interval '1 day' where id = $1`,
    [id, days],
  );
  return id;
}

const moveExpiry = (id: string, days: number) =>
  service.query(`update api_keys set expires_at = expires_at + $2 * interval '1 day' where id = $1`, [id, days]);

/** As time passes, the expiry that an event was about gets closer too. */
const passDays = async (id: string, days: number) => {
  await moveExpiry(id, -days);
  await service.query(
    `update expiry_notices set expires_at = expires_at - $2 * interval '1 day' where api_key_id = $1`,
    [id, days],
  );
};

/** Both replicas look at the same time. */
const look = () => Promise.all([service, replica].map(({ app }) => app.get(ExpiryNoticesService).run()));

const notices = async () => {
  const events = await readEvents(service, owner.organizationId);
  return events
    .filter(({ type }) => type.startsWith('api_key.expir'))
    .map(({ type, data }) => [type, data['daysLeft'] ?? null]);
};

describe('A key that expires', () => {
  it('should be published 7 days before, 1 day before, and then, once each', async () => {
    const id = await createOldKey(7.5);
    await look();
    expect(await notices()).toEqual([]);
    for (const days of [1, 1, 4, 1, 0.2, 0.5, 1, 1]) {
      await passDays(id, days);
      await look();
    }
    expect(await notices()).toEqual([
      ['api_key.expiring', 7],
      ['api_key.expiring', 1],
      ['api_key.expired', null],
    ]);
    const events = await readEvents(service, owner.organizationId);
    expect(events.at(-1)?.data).toMatchObject({
      actor: { kind: 'system' },
      apiKey: { id, name: 'Search indexer', hint: expect.stringMatching(/^kc_/) as string },
      expiresAt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('should be published again for a new expiry', async () => {
    const id = await createOldKey(-0.5);
    await look();
    await moveExpiry(id, 1);
    await look();
    await moveExpiry(id, 30);
    await look();
    await passDays(id, 25);
    await look();
    expect(await notices()).toEqual([
      ['api_key.expired', null],
      ['api_key.expiring', 1],
      ['api_key.expiring', 7],
    ]);
  });

  it('should not be announced if its whole lifetime is shorter, but when it has expired', async () => {
    const { id } = await createApiKey(service, owner, 'Short', new Date(Date.now() + 3_600_000));
    await look();
    expect(await notices()).toEqual([]);
    await moveExpiry(id, -1);
    await look();
    expect(await notices()).toEqual([['api_key.expired', null]]);
  });

  it('should not be published after it was deleted', async () => {
    const id = await createOldKey(0.5);
    await call(service.url, `DELETE /api-keys/${id}`, { token: owner.token });
    await look();
    expect(await notices()).toEqual([]);
  });
});
