import { createAccount, rightPassword } from '../factories/accounts.js';
import { createResetToken } from '../factories/reset-tokens.js';
import { openSession } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { withRefreshToken } from '../setup/cookies.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';

const newPassword = 'a new password to sign in with';
const service = useTestApp({ config: { trustProxy: true } });
const startApp = useAppStarter();

let addresses = 0;
/** Resets a password, by default from a new IP address. */
function reset(token: string, password = newPassword, address = `192.0.2.${++addresses}`): Promise<CallResponse> {
  const headers = { 'x-forwarded-for': address };
  return call(service.url, 'POST /auth/reset-password', { body: { token, newPassword: password }, headers });
}
const signIn = (email: string, password: string) =>
  call(service.url, 'POST /auth/sign-in', { body: { email, password } });

describe('POST /auth/reset-password', () => {
  it("should set the password and end only that account's sessions", async () => {
    const account = await createAccount(service);
    const other = await createAccount(service);
    const second = await openSession(service, account);
    const token = await createResetToken(service, account.email);
    expect(await reset(token)).toMatchObject({ status: 200, body: { email: account.email } });
    expect((await signIn(account.email, rightPassword)).status).toBe(401);
    expect((await signIn(account.email, newPassword)).status).toBe(200);
    for (const { token: jwt, refreshToken } of [account, second]) {
      expect((await call(service.url, 'GET /auth/me', { token: jwt })).status).toBe(401);
      const headers = withRefreshToken(refreshToken);
      expect((await call(service.url, 'POST /auth/refresh', { headers })).status).toBe(401);
    }
    expect((await call(service.url, 'GET /auth/me', { token: other.token })).status).toBe(200);
  });

  it('should set a password for an account without one', async () => {
    const account = await createAccount(service);
    await service.query('update users set password_hash = null where id = $1', [account.userId]);
    expect((await reset(await createResetToken(service, account.email))).status).toBe(200);
    expect((await signIn(account.email, newPassword)).status).toBe(200);
  });

  it('should accept a token once, even with concurrent requests', async () => {
    const { email } = await createAccount(service);
    const token = await createResetToken(service, email);
    const responses = await Promise.all([reset(token), reset(token, 'another new password')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await reset(token)).status).toBe(404);
  });

  it('should reject a replaced, expired or unknown token with 404 and change nothing', async () => {
    const account = await createAccount(service);
    const replaced = await createResetToken(service, account.email);
    const expired = await createResetToken(service, account.email);
    await service.query('update password_resets set expires_at = now() where user_id = $1', [account.userId]);
    for (const token of [replaced, expired, 'unknown']) {
      const { status, body } = await reset(token);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'not-found' });
    }
    expect((await signIn(account.email, rightPassword)).status).toBe(200);
  });

  it('should reject a short or common password with 400 and keep the token', async () => {
    const token = await createResetToken(service, (await createAccount(service)).email);
    for (const password of ['short', 'password1234']) {
      const { status, body } = await reset(token, password);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ field: 'newPassword' }] });
    }
    expect((await reset(token)).status).toBe(200);
  });

  it('should return 429 after 50 wrong tokens from one IP address', async () => {
    const address = '198.51.100.7';
    for (let attempt = 0; attempt < 50; attempt++) {
      expect((await reset('wrong', newPassword, address)).status).toBe(404);
    }
    const { status, headers } = await reset('wrong', newPassword, address);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('should store neither the token nor the password', async () => {
    const { email } = await createAccount(service);
    const token = await createResetToken(service, email);
    const before = await dumpDatabase(service);
    await reset(token);
    for (const text of [before, await dumpDatabase(service), service.logLines.join('')]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(newPassword);
    }
  });

  it('should return 403 while password sign-in is off', async () => {
    const token = await createResetToken(service, (await createAccount(service)).email);
    const other = await startApp({ database: service.database, config: { passwordSignIn: false } });
    const body = { token, newPassword };
    expect((await call(other.url, 'POST /auth/reset-password', { body })).status).toBe(403);
  });
});
