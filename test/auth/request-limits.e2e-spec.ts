import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { RateLimitsService, rateLimits, type RateLimit } from '../../src/auth/limits/rate-limits.service.js';
import { passwordHashing } from '../../src/auth/password.js';
import { createAccount, rightPassword, wrongPassword } from '../factories/accounts.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { createResetToken } from '../factories/reset-tokens.js';
import { type CallResponse, call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();

/** Uses up a limit except for the last few requests. */
async function spendAllBut(left: number, limit: RateLimit, key: string): Promise<void> {
  const limits = service.app.get(RateLimitsService);
  await limits.spend(limit, key);
  const points = rateLimits[limit].attempts - left;
  await service.query(`update rate_limits set points = $1 where key like $2 and points = 1`, [points, `${limit}:%`]);
}

function expectTooMany({ status, headers, body }: CallResponse): void {
  expect(status).toBe(429);
  expect(body).toMatchObject({ code: 'too-many-requests' });
  const retryAfterSeconds = Number(headers.get('retry-after'));
  expect(retryAfterSeconds).toBeGreaterThan(800);
  expect(retryAfterSeconds).toBeLessThanOrEqual(900);
}

describe('Requests that create something', () => {
  const create = ({ token }: Member, route: string, body: object, { url } = service) =>
    call(url, `POST ${route}`, { token, body });
  let names = 0;
  const createKey = (member: Member, at = service) => create(member, '/api-keys', { name: `Key ${++names}` }, at);

  it.each([
    ['/api-keys', () => ({ name: 'A key' })],
    ['/roles', () => ({ name: 'A role', permissions: [] })],
    ['/members', ({ roleId }: Member) => ({ email: 'invited@example.com', roleId })],
    ['/organizations', () => ({ name: 'An organization' })],
  ])('should be limited per user at POST %s', async (route, bodyOf) => {
    const member = await createMember(service);
    await spendAllBut(1, 'creation by user', member.userId);
    expect((await create(member, route, bodyOf(member))).status).toBe(201);
    expectTooMany(await create(member, route, bodyOf(member), replica));
    expect((await call(service.url, 'GET /auth/me', { token: member.token })).status).toBe(200);
    expect((await createKey(await createMember(service))).status).toBe(201);
  });

  it('should include key rotations, which each create a secret', async () => {
    const member = await createMember(service);
    await spendAllBut(2, 'creation by user', member.userId);
    expect((await createKey(member)).status).toBe(201);
    const { apiKeys } = (await call(service.url, 'GET /api-keys', { token: member.token })).body as ApiKeyListDto;
    const rotate = (at = service) =>
      create(member, `/api-keys/${apiKeys[0]?.id ?? ''}/rotate`, { gracePeriodSeconds: 0 }, at);
    expect((await rotate()).status).toBe(200);
    expectTooMany(await rotate(replica));
    expectTooMany(await createKey(member));
  });

  it('should be limited per organization, across replicas and members', async () => {
    const member = await createMember(service);
    const colleague = await createMember(service, { organizationId: member.organizationId });
    await spendAllBut(2, 'creation by organization', member.organizationId);
    expect((await createKey(member)).status).toBe(201);
    expect((await createKey(colleague, replica)).status).toBe(201);
    expectTooMany(await createKey(member, replica));
    expectTooMany(await createKey(colleague));
    expect((await createKey(await createMember(service))).status).toBe(201);
  });

  it('should be allowed ten times as often to service accounts, apart from what members create', async () => {
    const member = await createMember(service);
    await spendAllBut(0, 'creation by organization', member.organizationId);
    const account = await createServiceAccount(service, member);
    await spendAllBut(2, 'creation by service account', account.id);
    const create = async () =>
      call(service.url, 'POST /api-keys', { token: await tokenOf(service, account), body: { name: 'A key' } });
    expect(rateLimits['creation by service account'].attempts).toBe(10 * rateLimits['creation by user'].attempts);
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    const response = await create();
    expectTooMany(response);
    expect(response.body).toMatchObject({
      detail: expect.stringContaining("This service account's limit of 6,000 creations per 15 minutes") as string,
    });
    const stranger = await createMember(service);
    const other = await createServiceAccount(service, stranger);
    await spendAllBut(0, 'creation by service accounts', stranger.organizationId);
    const rejected = await call(service.url, 'POST /api-keys', {
      token: await tokenOf(service, other),
      body: { name: 'A key' },
    });
    expectTooMany(rejected);
    expect(rejected.body).toMatchObject({
      detail: expect.stringContaining('12,000 creations by service accounts per 15 minutes') as string,
    });
  });

  it('should not be counted if the role lacks the permission', async () => {
    const member = await createMember(service, { permissions: [] });
    await spendAllBut(1, 'creation by user', member.userId);
    for (let time = 0; time < 3; time++) expect((await createKey(member)).status).toBe(403);
  });
});

describe('POST /auth/refresh', () => {
  const refresh = (refreshToken: string, { url } = service) =>
    call(url, 'POST /auth/refresh', { headers: withRefreshToken(refreshToken) });

  it('should be limited per session, keeping the session and its latest token valid', async () => {
    const { sessionId, refreshToken, token } = await createMember(service);
    await spendAllBut(1, 'refresh by session', sessionId);
    const last = await refresh(refreshToken);
    expect(last.status).toBe(200);
    const latest = String(refreshTokenOf(last));
    expectTooMany(await refresh(latest, replica));
    expect((await call(service.url, 'GET /auth/me', { token })).status).toBe(200);
    expect((await refresh((await createMember(service)).refreshToken)).status).toBe(200);
    await service.query('update rate_limits set expire = 0');
    expect((await refresh(latest)).status).toBe(200);
  });

  it('should not count tokens of unknown sessions', async () => {
    const count = async () => (await service.query<{ count: string }>('select count(*) from rate_limits'))[0]?.count;
    const before = await count();
    expect((await refresh(`${'x'.repeat(43)}.${'y'.repeat(43)}`)).status).toBe(401);
    expect(await count()).toBe(before);
  });
});

describe('While the password hashing queue is full, Keycard', () => {
  let release: () => void;
  let hashing: Promise<unknown>;
  /** Fills the queue. */
  function fillQueue(): void {
    const released = new Promise<void>((resolve) => (release = resolve));
    hashing = Promise.allSettled(Array.from({ length: 22 }, () => passwordHashing.run(() => released)));
  }
  async function emptyQueue(): Promise<void> {
    release();
    await hashing;
  }

  function expectOverloaded({ status, headers, body }: CallResponse): void {
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ code: 'overloaded' });
  }

  it('should return 503 at sign-in for known and unknown accounts, without counting a failure', async () => {
    const { email } = await createAccount(service);
    const signIn = (password: string, as = email) =>
      call(service.url, 'POST /auth/sign-in', { body: { email: as, password } });
    fillQueue();
    for (let time = 0; time < 11; time++) expectOverloaded(await signIn(rightPassword));
    expectOverloaded(await signIn(rightPassword, 'unknown@example.com'));
    await emptyQueue();
    for (let time = 0; time < 9; time++) expect((await signIn(wrongPassword)).status).toBe(401);
    expect((await signIn(rightPassword)).status).toBe(200);
  });

  it('should return 503 when changing a password, without counting a failure', async () => {
    const { token } = await createAccount(service);
    const body = { currentPassword: rightPassword, newPassword: 'another horse battery staple' };
    const change = () => call(service.url, 'POST /auth/change-password', { token, body });
    fillQueue();
    for (let time = 0; time < 11; time++) expectOverloaded(await change());
    await emptyQueue();
    expect((await change()).status).toBe(200);
  });

  it('should return 503 when accepting an invitation, and keep it open', async () => {
    const inviter = await createMember(service);
    const email = 'new@example.com';
    const invited = await call(service.url, 'POST /members', {
      token: inviter.token,
      body: { email, roleId: inviter.roleId },
    });
    const { link } = invited.body as { link: string };
    const body = { token: link.split('#token=')[1], name: 'New', password: rightPassword };
    const accept = () => call(service.url, 'POST /auth/accept-invitation', { body });
    fillQueue();
    expectOverloaded(await accept());
    await emptyQueue();
    expect((await accept()).status).toBe(200);
  });

  it('should return 503 when resetting a password, and keep the link valid', async () => {
    const { email } = await createAccount(service);
    const token = await createResetToken(service, email);
    const reset = () => call(service.url, 'POST /auth/reset-password', { body: { token, newPassword: rightPassword } });
    fillQueue();
    expectOverloaded(await reset());
    await emptyQueue();
    expect((await reset()).status).toBe(200);
  });
});
