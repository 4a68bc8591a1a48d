import { DataSource } from 'typeorm';
import { generateLinkToken, hashLinkToken } from '../../src/common/link-token.js';
import { hashPassword } from '../../src/auth/password.js';
import { User } from '../../src/organizations/user.entity.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { waitFor } from '../setup/wait-for.js';
import { invitationTokenOf, useSingleSignOn } from '../setup/single-sign-on.js';
import { Browser } from './browser.js';
import type { Person } from './test-provider.js';

const password = 'the password of the attacker';
const sso = useSingleSignOn();
const { provider, service } = sso;
/** Owner of the organization in the victim's claims. */
let company: Member;
/** Owner of another organization, who invites the victim's email. */
let attacker: Member;
let victim: Person;

beforeEach(async () => {
  company = await createMember(service);
  attacker = await createMember(service);
  victim = provider.meet({ organization: company.organizationId, roles: [`Role ${company.roleId}`], name: 'Grace' });
});

/** The attacker's tokens for the account with the victim's email. */
interface Hold {
  accessToken: string;
  refreshToken: string;
}

const tokenOf = ({ body }: CallResponse) => (body as { accessToken: string }).accessToken;
const holdOf = (response: CallResponse): Hold => ({
  accessToken: tokenOf(response),
  refreshToken: String(refreshTokenOf(response)),
});

async function invite(inviter: Member, email: string, token = inviter.token): Promise<string> {
  const response = await call(service.url, 'POST /members', { token, body: { email, roleId: inviter.roleId } });
  return invitationTokenOf(response);
}

const acceptByPassword = (token: string) =>
  call(service.url, 'POST /auth/accept-invitation', { body: { token, name: 'Mallory', password } });
const signInByPassword = () => call(service.url, 'POST /auth/sign-in', { body: { email: victim.email, password } });
const me = (token: string) => call(service.url, 'GET /auth/me', { token });
const refresh = (refreshToken: string) =>
  call(service.url, 'POST /auth/refresh', { headers: withRefreshToken(refreshToken) });

/** Creates the account with the victim's email as the attacker. */
const hijack = async () => holdOf(await acceptByPassword(await invite(attacker, victim.email)));

/** Signs the victim in through the provider and returns the account. */
async function enter(visit: (browser: Browser) => Promise<string>): Promise<CallResponse> {
  const browser = new Browser();
  expect(await visit(browser)).toBe(`${service.url}/`);
  const refreshed = await refresh(String(browser.cookie(service.url, 'keycard_refresh')));
  return me(tokenOf(refreshed));
}

const signIn = () => enter((browser) => sso.signIn(victim, browser));
const present = async () => me(await provider.sign({ ...victim }));
const acceptBySingleSignOn = async () => {
  const token = await invite(company, victim.email);
  return enter((browser) => sso.acceptInvitation(token, victim, browser));
};

const waysIn: [string, () => Promise<CallResponse>][] = [
  ['signs in', signIn],
  ['presents an access token', present],
  ['accepts an invitation', acceptBySingleSignOn],
];

const account = async () => {
  const [row] = await service.query<Record<string, unknown>>(
    'select password_hash, email_verified_by, email_verified_at is null as "isOpen" from users where email = $1',
    [victim.email],
  );
  return row;
};
/** Restores the password of an account that the provider is linked to, as an earlier release left it. */
const restoreAsEarlierRelease = async () =>
  service.query(
    `update users set password_hash = $2, email_verified_at = null, email_verified_by = null where email = $1`,
    [victim.email, await hashPassword(password)],
  );
const removalsIn = ({ organizationId }: Member) =>
  service.query<{ actor_email: string; after: unknown }>(
    `select actor_email, after from audit_events where action = 'password.remove' and organization_id = $1`,
    [organizationId],
  );

/** Asserts that the attacker's tokens and password are rejected. */
async function expectPowerless({ accessToken, refreshToken }: Hold): Promise<void> {
  const body = { organizationId: company.organizationId };
  const responses = [
    await me(accessToken),
    await call(service.url, 'POST /auth/switch-organization', { token: accessToken, body }),
    await refresh(refreshToken),
    await signInByPassword(),
    await acceptByPassword(await invite(await createMember(service), victim.email)),
  ];
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401));
}

describe('An account someone else created with a password', () => {
  it.each(waysIn)(
    "should be closed to its creator once the email's owner %s through the provider",
    async (_way, enter) => {
      const holds = [await hijack(), holdOf(await signInByPassword())];
      const entered = await enter();
      expect(entered.body).toMatchObject({
        user: { email: victim.email, name: 'Grace', passwordRemovedAt: expect.any(String) as string },
        organization: { id: company.organizationId },
      });
      for (const hold of holds) await expectPowerless(hold);
      expect(await account()).toEqual({ password_hash: null, email_verified_by: 'provider', isOpen: false });
      // Later sign-ins continue, and the log shows why the password is gone.
      expect((await signIn()).body).toMatchObject({ user: { passwordRemovedAt: expect.any(String) as string } });
    },
  );

  it.each(waysIn)('should leave an event in each of its organizations when the owner %s', async (_way, enter) => {
    await hijack();
    await enter();
    for (const organization of [company, attacker]) {
      expect(await removalsIn(organization)).toEqual([
        {
          actor_email: victim.email,
          after: {
            reason: 'The password was set before the identity provider verified the email.',
            sessionsEnded: 1,
            invitationsWithdrawn: 0,
          },
        },
      ]);
    }
  });

  it('should keep its organizations but lose the invitations it sent', async () => {
    const { accessToken } = await hijack();
    const accomplice = await invite(attacker, `accomplice-of-${victim.email}`, accessToken);
    await signIn();
    expect((await acceptByPassword(accomplice)).status).toBe(404);
    const organizations = await call(service.url, 'GET /organizations', { token: await provider.sign({ ...victim }) });
    const ids = (organizations.body as { organizations: { id: string }[] }).organizations.map(({ id }) => id);
    expect(ids.sort()).toEqual([company.organizationId, attacker.organizationId].sort());
    expect(await removalsIn(attacker)).toMatchObject([{ after: { sessionsEnded: 1, invitationsWithdrawn: 1 } }]);
    const withdrawn = await service.query(
      `select from audit_events where action = 'invitation.delete' and organization_id = $1`,
      [attacker.organizationId],
    );
    expect(withdrawn).toHaveLength(1);
  });

  it("should lose its creator's password reset link", async () => {
    await hijack();
    const token = generateLinkToken();
    await service.query(
      `insert into password_resets (user_id, token_hash, expires_at)
         select id, $2, now() + interval '1 hour' from users where email = $1`,
      [victim.email, hashLinkToken(token)],
    );
    await signIn();
    const body = { token, newPassword: 'another password of the attacker' };
    expect((await call(service.url, 'POST /auth/reset-password', { body })).status).toBe(404);
    expect(await account()).toMatchObject({ password_hash: null });
  });

  it("should not change if the email's owner is rejected", async () => {
    const { accessToken } = await hijack();
    const token = await provider.sign({ ...victim, roles: [] });
    expect((await me(token)).status).toBe(403);
    expect((await me(accessToken)).status).toBe(200);
    expect(await service.query('select from user_identities where subject = $1', [victim.sub])).toEqual([]);
  });

  it('should be closed even if the provider was linked before Keycard recorded verified emails', async () => {
    const hold = await hijack();
    await signIn();
    await restoreAsEarlierRelease();
    const later = holdOf(await signInByPassword());
    expect((await present()).status).toBe(200);
    await expectPowerless(later);
    await expectPowerless(hold);
  });

  it('should be closed even if the linked person is now rejected', async () => {
    await hijack();
    await signIn();
    await restoreAsEarlierRelease();
    const later = holdOf(await signInByPassword());
    const seconds = Math.floor(Date.now() / 1000) + 60;
    expect((await me(await provider.sign({ ...victim, roles: [], iat: seconds }))).status).toBe(403);
    await expectPowerless(later);
  });
});

describe('An account whose email is verified', () => {
  it('should keep its password and sessions when the provider is linked to it', async () => {
    const { token } = await createMember(service, { email: victim.email, passwordHash: await hashPassword(password) });
    await service.query(
      `update users set email_verified_at = now(), email_verified_by = 'first-administrator' where email = $1`,
      [victim.email],
    );
    expect((await signIn()).body).toMatchObject({ user: { passwordRemovedAt: null } });
    expect((await me(token)).status).toBe(200);
    expect((await signInByPassword()).status).toBe(200);
    expect(await removalsIn(company)).toEqual([]);
  });

  it('should not lose a password if the provider created it', async () => {
    expect((await signIn()).body).toMatchObject({ user: { passwordRemovedAt: null } });
    expect(await account()).toMatchObject({ email_verified_by: 'provider' });
    expect((await acceptByPassword(await invite(attacker, victim.email))).status).toBe(401);
  });

  it("should stay unverified if the provider doesn't verify the email", async () => {
    const { accessToken } = await hijack();
    const token = await provider.sign({ ...victim, email_verified: false });
    expect((await me(token)).status).toBe(403);
    expect((await me(accessToken)).status).toBe(200);
  });
});

describe('A hijacked account used while its owner signs in', () => {
  /** Runs both while the account's row is locked, queued in this order. */
  async function race(
    first: () => Promise<CallResponse>,
    second: () => Promise<CallResponse>,
  ): Promise<[CallResponse, CallResponse]> {
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.manager.findOne(User, { where: { email: victim.email }, lock: { mode: 'for_no_key_update' } });
    const earlier = first();
    await waitFor(async () => (await countLockWaits(service)) === 1);
    const later = second();
    await waitFor(async () => (await countLockWaits(service)) === 2);
    await blocker.rollbackTransaction();
    await blocker.release();
    return Promise.all([earlier, later]);
  }

  const attempts: [string, () => Promise<() => Promise<CallResponse>>][] = [
    ['sign-in with the password', () => Promise.resolve(signInByPassword)],
    [
      'acceptance of another invitation',
      async () => {
        const token = await invite(await createMember(service), victim.email);
        return () => acceptByPassword(token);
      },
    ],
  ];

  it.each(attempts)('should reject a later %s', async (_title, prepare) => {
    await hijack();
    const [entered, late] = await race(present, await prepare());
    expect([entered.status, late.status]).toEqual([200, 401]);
  });

  it.each(attempts)('should end the session of an earlier %s', async (_title, prepare) => {
    await hijack();
    const [early, entered] = await race(await prepare(), present);
    expect([early.status, entered.status]).toEqual([200, 200]);
    await expectPowerless(holdOf(early));
  });

  it('should reject a later password change', async () => {
    const { accessToken } = await hijack();
    const body = { currentPassword: password, newPassword: 'another password of the attacker' };
    const [entered, late] = await race(present, () =>
      call(service.url, 'POST /auth/change-password', { token: accessToken, body }),
    );
    expect([entered.status, late.status]).toEqual([200, 400]);
    expect(await account()).toMatchObject({ password_hash: null });
  });

  it('should be secured once by concurrent requests of the owner', async () => {
    await hijack();
    const token = await provider.sign({ ...victim });
    const responses = await Promise.all(Array.from({ length: 8 }, () => me(token)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await removalsIn(company)).toHaveLength(1);
  });

  it('should be secured even if it is created concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      victim = provider.meet({ organization: company.organizationId, roles: [`Role ${company.roleId}`] });
      const token = await invite(attacker, victim.email);
      const [accepted, entered] = await Promise.all([acceptByPassword(token), present()]);
      expect(entered.status).toBe(200);
      expect([200, 401, 409]).toContain(accepted.status);
      if (accepted.status === 200) await expectPowerless(holdOf(accepted));
      expect(await account()).toMatchObject({ password_hash: null, isOpen: false });
    }
  });
});
