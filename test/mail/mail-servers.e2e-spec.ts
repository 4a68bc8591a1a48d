import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { HangingServer, MailServer, mailSettings } from './mail-server.js';

const start = useAppStarter();
const server = new MailServer();
const hanging = new HangingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.received.length = server.attempts = 0;
  server.treat = () => 'accept';
  server.beforeAccept = () => Promise.resolve();
});

async function invite(app: TestApp, email: string): Promise<number> {
  const { token, roleId } = await createMember(app);
  const startedAt = performance.now();
  const { status } = await call(app.url, 'POST /members', { token, body: { email, roleId } });
  expect(status).toBe(201);
  return performance.now() - startedAt;
}

const queued = async ({ query }: TestApp) => (await query('select from mail_messages')).length;

describe('A mail server', () => {
  it('should delay no request if it hangs, and get mail from another one later', async () => {
    const smtpUrl = await hanging.start();
    try {
      const app = await start({ config: mailSettings(smtpUrl, { timeoutMilliseconds: 60_000, leaseSeconds: 1 }) });
      const times = [];
      for (let count = 0; count < 10; count++) times.push(await invite(app, `person-${count}@example.com`));
      await waitFor(() => hanging.connections > 0);
      times.push(await invite(app, 'last@example.com'));
      expect(Math.max(...times)).toBeLessThan(5000);
      expect(await queued(app)).toBe(11);
      // This replica keeps waiting; the leases of its mail end.
      const other = await start({ database: app.database, config: mailSettings(server.url) });
      await waitFor(async () => (await queued(other)) === 0);
      expect(new Set(server.received.map(({ to }) => (Array.isArray(to) ? '' : to?.text))).size).toBe(11);
    } finally {
      await hanging.stop();
    }
  });

  it('should get mail again that it deferred', async () => {
    const app = await start({ config: mailSettings(server.url) });
    server.treat = () => (server.attempts < 3 ? 'defer' : 'accept');
    await invite(app, 'ada@example.com');
    await waitFor(async () => (await queued(app)) === 0);
    expect([server.attempts, server.received.length]).toEqual([3, 1]);
  });

  it('should not get mail again that it rejected, nor more often than planned', async () => {
    const app = await start({ config: mailSettings(server.url) });
    server.treat = (recipient) => (recipient.startsWith('rejected') ? 'reject' : 'defer');
    await invite(app, 'rejected@example.com');
    await waitFor(async () => (await queued(app)) === 0);
    expect(server.attempts).toBe(1);
    await invite(app, 'deferred@example.com');
    await waitFor(async () => (await queued(app)) === 0);
    expect(server.attempts).toBe(1 + 4);
    const logs = app.logLines.join('');
    expect(logs).toContain('A mail was dropped');
    expect(logs).not.toMatch(/(rejected|deferred)@example\.com/);
  });

  it('should get each mail from one of two replicas, even if it is slow', async () => {
    const app = await start({ config: mailSettings(server.url) });
    await start({ database: app.database, config: mailSettings(server.url) });
    let waiting: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (waiting = resolve));
    server.beforeAccept = () => released;
    const emails = Array.from({ length: 8 }, (_, index) => `person-${index}@example.com`);
    for (const email of emails) await invite(app, email);
    await waitFor(() => server.attempts >= 8);
    waiting();
    await waitFor(async () => (await queued(app)) === 0);
    expect(server.received.map(({ to }) => (Array.isArray(to) ? '' : to?.text)).sort()).toEqual(emails);
    expect(server.attempts).toBe(8);
  });
});

describe('Without SMTP', () => {
  it('should queue nothing, remember no devices, and offer no password reset', async () => {
    const app = await start();
    await invite(app, 'ada@example.com');
    expect(await queued(app)).toBe(0);
    expect(await app.query('select from known_devices')).toEqual([]);
    const body = { email: 'ada@example.com' };
    expect((await call(app.url, 'POST /auth/request-password-reset', { body })).status).toBe(404);
    expect((await call(app.url, 'GET /auth/methods')).body).toMatchObject({ passwordReset: false });
  });
});
