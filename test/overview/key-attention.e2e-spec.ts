import { DataSource } from 'typeorm';
import { KeyAttentionReader } from '../../src/overview/key-attention.js';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
const always = { perWork: 1_000_000, minWorkMilliseconds: 0 };
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

/** Returns a function that reads, and how many keys expire soon. */
function readerWith(...[keeping]: ConstructorParameters<typeof KeyAttentionReader>) {
  const reader = new KeyAttentionReader(keeping);
  return async ({ organizationId } = owner) => {
    const { attention, readAt } = await reader.read(service.app.get(DataSource).manager, organizationId);
    return { readAt, expiring: attention.find(({ kind }) => kind === 'expiring-keys')?.count };
  };
}

/** Without an event, as time does it. */
const expireSoon = ({ organizationId } = owner) =>
  service.query(`update api_keys set expires_at = now() + interval '1 day' where organization_id = $1`, [
    organizationId,
  ]);

describe('Keys that need attention', () => {
  it('should be kept while no key changes, if finding them takes long', async () => {
    await createApiKey(service, owner);
    const read = readerWith(always);
    const before = await read();
    expect(before.expiring).toBe(0);
    await expireSoon();
    expect(await read()).toEqual(before);
  });

  it('should be read again when a key changes, whichever replica changes it', async () => {
    const { id } = await createApiKey(service, owner);
    const read = readerWith(always);
    await read();
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    for (const [route, body, expiring] of [
      [`PATCH /api-keys/${id}`, { expiresAt: soon }, 1],
      ['POST /api-keys', { name: 'Another', expiresAt: soon }, 2],
      [`DELETE /api-keys/${id}`, undefined, 1],
    ] as const) {
      const { status } = await call(service.url, route, { token: owner.token, body });
      expect(status).toBeLessThan(300);
      expect((await read()).expiring).toBe(expiring);
    }
  });

  it('should never be those of another organization', async () => {
    const other = await createMember(service);
    await createApiKey(service, other);
    await expireSoon(other);
    const read = readerWith(always);
    expect((await read(other)).expiring).toBe(1);
    expect((await read()).expiring).toBe(0);
  });

  it('should be read each time otherwise', async () => {
    await createApiKey(service, owner);
    const read = readerWith({ perWork: 1_000_000, minWorkMilliseconds: Infinity });
    expect((await read()).expiring).toBe(0);
    await expireSoon();
    expect((await read()).expiring).toBe(1);
  });
});

describe('The overview', () => {
  it('should say when keys were read, to callers who may see them', async () => {
    const { body } = await call(service.url, 'GET /overview', { token: owner.token });
    const { at, keysReadAt } = body as OverviewDto;
    expect(Date.parse(keysReadAt ?? '')).toBeGreaterThanOrEqual(Date.parse(at));
    const { token } = await createMember(service, { permissions: ['get-usage'] });
    expect((await call(service.url, 'GET /overview', { token })).body).not.toHaveProperty('keysReadAt');
  });
});
