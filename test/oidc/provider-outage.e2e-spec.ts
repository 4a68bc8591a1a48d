import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { Browser } from './browser.js';
import { oidcSettings } from './oidc-settings.js';
import { TestProvider } from './test-provider.js';

const provider = new TestProvider();
afterEach(() => jest.restoreAllMocks());
const startApp = useAppStarter();
let service: TestApp;
let member: Member;

const me = (token: string) => call(service.url, 'GET /auth/me', { token });

/** Issues a token for a person who is admitted. */
async function issueToken(): Promise<string> {
  await service.query(`update roles set name = 'Everybody' where id = $1`, [member.roleId]);
  return provider.issueAccessToken(provider.meet({ organization: member.organizationId }));
}

beforeEach(async () => {
  await provider.start();
  service = await startApp({ config: { oidc: { ...oidcSettings(provider), defaultRole: 'Everybody' } } });
  member = await createMember(service);
});
afterEach(() => provider.stop());

describe('While the identity provider is down, Keycard', () => {
  it('should keep accepting API keys, sessions, and tokens with a known key', async () => {
    const token = await issueToken();
    expect((await me(token)).status).toBe(200);
    const { key } = await createApiKey(service, member);
    await provider.stop();
    expect((await me(token)).status).toBe(200);
    expect((await me(member.token)).status).toBe(200);
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
  });

  it('should keep accepting tokens even if its provider metadata is hours old', async () => {
    const token = await issueToken();
    expect((await me(token)).status).toBe(200);
    await provider.stop();
    const now = Date.now() + 5 * 60 * 60_000;
    jest.spyOn(Date, 'now').mockReturnValue(now);
    for (let request = 0; request < 3; request++) expect((await me(token)).status).toBe(200);
  });

  it('should start, return 503 without keys, and recover', async () => {
    const token = await issueToken();
    await provider.stop();
    const response = await me(token);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.body).toMatchObject({ code: 'identity-provider-unavailable' });
    expect(response.text).not.toContain(token);
    expect((await me(member.token)).status).toBe(200);
    expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
    await provider.start();
    expect((await me(token)).status).toBe(200);
  });

  it('should redirect to the sign-in page with the reason', async () => {
    await provider.stop();
    const page = await new Browser().step(`${service.url}/auth/oidc/start`);
    expect(page).toBe(`${service.url}/sign-in?error=identity-provider-unavailable`);
  });
});

describe("With an issuer that differs from the server's metadata, Keycard", () => {
  it('should reject its tokens', async () => {
    const token = await issueToken();
    const { port } = new URL(provider.issuer);
    const oidc = { ...oidcSettings(provider), issuer: `http://localhost:${port}` };
    const other = await startApp({ database: service.database, config: { oidc } });
    const named = await provider.sign({ sub: 'somebody', iss: oidc.issuer });
    const statuses = [];
    for (const sent of [token, named]) statuses.push((await call(other.url, 'GET /auth/me', { token: sent })).status);
    expect(statuses).toEqual([401, 503]);
  });
});
