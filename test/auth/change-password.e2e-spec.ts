import { DataSource } from 'typeorm';
import { hashPassword } from '../../src/auth/password.js';
import { User } from '../../src/organizations/user.entity.js';
import { type Account, createAccount, rightPassword, wrongPassword } from '../factories/accounts.js';
import { readAuditEvents, withoutAudit } from '../factories/audit-events.js';
import { openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();

const newPassword = 'another battery staple';
const change = ({ token }: Pick<Account, 'token'>, body: unknown) =>
  call(service.url, 'POST /auth/change-password', { token, body });
const signIn = (email: string, password: string) =>
  call(service.url, 'POST /auth/sign-in', { body: { email, password } });
const me = (token: string) => call(service.url, 'GET /auth/me', { token });

describe('POST /auth/change-password', () => {
  it('should replace the password', async () => {
    const account = await createAccount(service);
    const response = await change(account, { currentPassword: rightPassword, newPassword });
    expect(response.status).toBe(200);
    expect((await signIn(account.email, rightPassword)).status).toBe(401);
    expect((await signIn(account.email, newPassword)).status).toBe(200);
  });

  it("should end all of the user's sessions except the current one", async () => {
    const account = await createAccount(service);
    const other = await openSession(service, account);
    const bystander = await createAccount(service);
    await change(account, { currentPassword: rightPassword, newPassword });
    expect((await me(other.token)).status).toBe(401);
    expect((await me(account.token)).status).toBe(200);
    expect((await me(bystander.token)).status).toBe(200);
    const events = (await readAuditEvents(service, { actor: account.userId })).map(({ action, targetId }) => [
      action,
      targetId,
    ]);
    expect(events).toEqual([
      ['password.change', account.userId],
      ['session.end', other.sessionId],
    ]);
  });

  it('should return 400 naming a wrong currentPassword, and change nothing', async () => {
    const account = await createAccount(service);
    const other = await openSession(service, account);
    const response = await change(account, { currentPassword: wrongPassword, newPassword });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'currentPassword', message: 'This is not your current password.' }],
    });
    expect((await me(other.token)).status).toBe(200);
    expect((await signIn(account.email, rightPassword)).status).toBe(200);
  });

  it.each([
    ['currentPassword', { newPassword }],
    ['currentPassword', { currentPassword: '', newPassword }],
    ['newPassword', { currentPassword: rightPassword }],
    ['newPassword', { currentPassword: rightPassword, newPassword: 'x'.repeat(11) }],
    ['newPassword', { currentPassword: rightPassword, newPassword: 'x'.repeat(257) }],
    ['newPassword', { currentPassword: rightPassword, newPassword: 'twelve\u0000twelve' }],
    ['newPassword', { currentPassword: rightPassword, newPassword: 123_456_789_012 }],
    ['newPassword', { currentPassword: rightPassword, newPassword: 'Password1234!' }],
    ['email', { currentPassword: rightPassword, newPassword, email: 'ada@example.com' }],
  ])('should return 400 naming %s', async (field, body) => {
    const response = await change(await createAccount(service), body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('should return 401 without a JWT', async () => {
    const body = { currentPassword: rightPassword, newPassword };
    expect((await call(service.url, 'POST /auth/change-password', { body })).status).toBe(401);
  });

  it("should return 429 for a token's eleventh guess, even a correct one", async () => {
    const account = await createAccount(service);
    for (let guess = 0; guess < 10; guess++) {
      expect((await change(account, { currentPassword: wrongPassword, newPassword })).status).toBe(400);
    }
    const response = await change(account, { currentPassword: rightPassword, newPassword });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await signIn(account.email, rightPassword)).status).toBe(200);
  });

  it('should apply exactly one of two concurrent changes', async () => {
    const account = await createAccount(service);
    const passwords = ['the first new password', 'the second new password'];
    const responses = await Promise.all(
      passwords.map((password) => change(account, { currentPassword: rightPassword, newPassword: password })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const right = passwords[responses.findIndex(({ status }) => status === 200)];
    expect((await signIn(account.email, String(right))).status).toBe(200);
  });

  it('should leave no session that the old password opened concurrently', async () => {
    const { email, userId } = await createAccount(service);
    const passwordHash = await hashPassword(newPassword);
    const late = await service.app.get(DataSource).transaction(async (manager) => {
      await manager.update(User, { id: userId }, { passwordHash });
      const response = signIn(email, rightPassword);
      // It has checked the password and waits for this transaction.
      await waitFor(async () => (await countLockWaits(service)) > 0);
      return { response };
    });
    expect((await late.response).status).toBe(401);
  });

  it('should change nothing if the event cannot be written', async () => {
    const account = await createAccount(service);
    const body = { currentPassword: rightPassword, newPassword };
    expect((await withoutAudit(service, () => change(account, body))).status).toBe(500);
    expect((await signIn(account.email, rightPassword)).status).toBe(200);
  });
});
