import { createMember, type Member, openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { Browser } from './browser.js';
import { oidcSettings } from './oidc-settings.js';
import type { Person } from './test-provider.js';

const sso = useSingleSignOn();
const { provider, service } = sso;
const startApp = useAppStarter();
let owner: Member;
let person: Person;

beforeAll(async () => {
  owner = await createMember(service);
});
beforeEach(() => {
  person = provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] });
});

/** Returns a browser with a session. */
async function signIn(): Promise<Browser> {
  const browser = new Browser();
  expect(await sso.signIn(person, browser)).toBe(`${service.url}/`);
  return browser;
}

/** Returns a new access token, or undefined if the session has ended. */
async function refresh(browser: Browser): Promise<string | undefined> {
  const response = await browser.post(`${service.url}/auth/refresh`, {});
  return ((await response.json()) as { accessToken?: string }).accessToken;
}

describe('A session opened by single sign-on', () => {
  const me = async (token = '') => (await call(service.url, 'GET /auth/me', { token })).status;
  const shift = (interval: string) =>
    service.query(
      `update sessions set created_at = sessions.created_at - $1::interval, expires_at = expires_at - $1::interval
         from users where users.id = user_id and email = $2`,
      [interval, person.email],
    );
  const lifetimes = () =>
    service.query<{ seconds: number }>(
      `select round(extract(epoch from expires_at - sessions.created_at))::int as seconds
         from sessions join users on users.id = user_id where email = $1`,
      [person.email],
    );

  it('should expire after OIDC_SESSION_HOURS, regardless of refreshes', async () => {
    const browser = await signIn();
    expect(await lifetimes()).toEqual([{ seconds: 12 * 3600 }]);
    await shift('11 hours 59 minutes');
    const token = await refresh(browser);
    expect(await me(token)).toBe(200);
    expect(await lifetimes()).toEqual([{ seconds: 12 * 3600 }]);
    await shift('1 minute');
    expect(await me(token)).toBe(401);
    expect(await refresh(browser)).toBeUndefined();
  });

  it('should not affect the lifetime of other sessions', async () => {
    await signIn();
    const [user] = await service.query<{ id: string }>('select id from users where email = $1', [person.email]);
    await openSession(service, { userId: user?.id ?? '', organizationId: owner.organizationId });
    expect((await lifetimes()).map(({ seconds }) => seconds).sort((a, b) => a - b)).toEqual([12 * 3600, 14 * 86_400]);
  });

  it('should end at the next refresh if the setting was lowered', async () => {
    const browser = await signIn();
    await shift('2 hours');
    const cookie = `keycard_refresh=${browser.cookie(service.url, 'keycard_refresh')}`;
    const oidc = { ...oidcSettings(provider), sessionHours: 1 };
    const other = await startApp({ database: service.database, config: { oidc } });
    const { status } = await call(other.url, 'POST /auth/refresh', { headers: { cookie } });
    expect(status).toBe(401);
    expect(await refresh(browser)).toBeDefined();
  });
});
