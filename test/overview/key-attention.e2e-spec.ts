import { DataSource } from 'typeorm';
import { hashPassword } from '../../src/auth/password.js';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { KeyAttentionReader } from '../../src/overview/key-attention.js';
import type { AttentionKind } from '../../src/overview/dto/attention.dto.js';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import { rightPassword } from '../factories/accounts.js';
import { createApiKey, createApiKeyWith } from '../factories/api-keys.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, deleteServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
const always = { perWork: 1_000_000, minWorkMilliseconds: 0 };
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

/** Returns a function that counts keys that expire soon, and those that former members know. */
function readerWith(...[keeping]: ConstructorParameters<typeof KeyAttentionReader>) {
  const reader = new KeyAttentionReader(keeping);
  return async ({ organizationId } = owner) => {
    const { attention, readAt } = await reader.read(service.app.get(DataSource).manager, organizationId);
    const countOf = (kind: AttentionKind) => attention.find((entry) => entry.kind === kind)?.count;
    return { readAt, expiring: countOf('expiring-keys'), known: countOf('keys-known-to-former-members') };
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

  it('should be read again when a member or service account is removed, and when the member rejoins', async () => {
    const passwordHash = await hashPassword(rightPassword);
    const grace = await createColleague(service, owner, 'Grace Hopper', { passwordHash });
    await createApiKey(service, grace);
    const account = await createServiceAccount(service, owner);
    await createApiKeyWith(service, { token: await tokenOf(service, account) });
    const read = readerWith(always);
    expect((await read()).known).toBe(0);
    await removeMember(service, grace, owner);
    expect((await read()).known).toBe(1);
    await deleteServiceAccount(service, account, owner);
    expect((await read()).known).toBe(2);
    const invited = await call(service.url, 'POST /members', {
      token: owner.token,
      body: { email: `${grace.userId}@example.com`, roleId: owner.roleId },
    });
    const { link } = invited.body as CreatedInvitationDto;
    const token = link.split('#token=')[1];
    await call(service.url, 'POST /auth/accept-invitation', { body: { token, password: rightPassword } });
    expect((await read()).known).toBe(1);
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
