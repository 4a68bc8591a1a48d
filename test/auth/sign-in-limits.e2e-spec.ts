import { hashKey } from '../../src/auth/limits/limiter-options.js';
import { SignInLimitsService } from '../../src/auth/limits/sign-in-limits.service.js';
import { createAccount, rightPassword, wrongPassword } from '../factories/accounts.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas({ config: { trustProxy: true } });

let addresses = 0;
/** Returns an IP address without attempts. */
const newAddress = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;

interface Attempt {
  email: string;
  password?: string;
  address: string;
  at?: TestApp;
}

const signIn = ({ email, password = wrongPassword, address, at = service }: Attempt) =>
  call(at.url, 'POST /auth/sign-in', { body: { email, password }, headers: { 'x-forwarded-for': address } });

async function signInTimes(times: number, attempt: Attempt): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await signIn(attempt)).status);
  return statuses;
}

/** Counts attempts as sign-in does, without hashing passwords. */
async function guess(times: number, email: string, address: string): Promise<void> {
  for (let time = 0; time < times; time++) await service.app.get(SignInLimitsService).count(email, address);
}

/** Guesses from enough IP addresses to reach the account's overall limit. */
async function attack(email: string): Promise<void> {
  await Promise.all(Array.from({ length: 10 }, () => guess(10, email, newAddress())));
}

/** Ends all windows. */
const endWindows = () => service.query(`update rate_limits set expire = 0 where key not like 'known address:%'`);

describe('Sign-in to an account from one IP address', () => {
  it('should return 429 with Retry-After after ten wrong passwords, even for the right one', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    expect(await signInTimes(10, { email, address })).toEqual(Array.from({ length: 10 }, () => 401));
    const response = await signIn({ email, address, password: rightPassword });
    expect(response.status).toBe(429);
    expect(response.body).toMatchObject({ code: 'too-many-requests' });
    const retryAfterSeconds = Number(response.headers.get('retry-after'));
    expect(retryAfterSeconds).toBeGreaterThan(800);
    expect(retryAfterSeconds).toBeLessThanOrEqual(900);
  });

  it('should be counted across replicas and case-insensitively by email', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    await signInTimes(5, { email, address });
    await signInTimes(5, { email: ` ${email.toUpperCase()}`, address, at: replica });
    expect((await signIn({ email, address, at: replica })).status).toBe(429);
    expect((await signIn({ email, address, at: service })).status).toBe(429);
  });

  it('should be counted exactly under concurrency', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    const attempts = Array.from({ length: 30 }, (_, time) =>
      signIn({ email, address, at: time % 2 === 0 ? service : replica }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('should be allowed after the window, regardless of attempts in between', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    const first = await signInTimes(11, { email, address });
    expect(first.at(-1)).toBe(429);
    const remaining = async () => Number((await signIn({ email, address })).headers.get('retry-after'));
    const before = await remaining();
    expect(await remaining()).toBeLessThanOrEqual(before);
    await endWindows();
    expect((await signIn({ email, address, password: rightPassword })).status).toBe(200);
  });

  it('should reset the count after the right password', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    await signInTimes(9, { email, address });
    expect((await signIn({ email, address, password: rightPassword })).status).toBe(200);
    expect(await signInTimes(10, { email, address })).toEqual(Array.from({ length: 10 }, () => 401));
    expect((await signIn({ email, address })).status).toBe(429);
  });

  it('should never be limited for successful sign-ins', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    const statuses = await signInTimes(12, { email, address, password: rightPassword });
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('should be limited identically for unknown accounts', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    const known = await signInTimes(12, { email, address });
    const unknown = await signInTimes(12, { email: 'unknown@example.com', address });
    expect(unknown).toEqual(known);
  });
});

describe('Sign-in from clients whose proxy forwards no IP address', () => {
  it('should share one limit, however their address is spelled', async () => {
    const { email } = await createAccount(service);
    for (let port = 1; port <= 10; port++) await signIn({ email, address: `203.0.113.9:${port}` });
    expect((await signIn({ email, address: '203.0.113.9:11' })).status).toBe(429);
    expect((await signIn({ email, address: '0xcb007109' })).status).toBe(429);
    expect((await signIn({ email, address: '203.0.113.9' })).status).toBe(401);
    const events = await readAuditEvents(service, { actor: email });
    expect(events.map(({ address }) => address)).toEqual([
      // The last one is about the block.
      ...Array.from({ length: 11 }, () => 'unknown'),
      '203.0.113.9',
    ]);
  });
});

describe('Sign-in from one IP address', () => {
  it('should return 429 after fifty wrong passwords for any accounts', async () => {
    const address = newAddress();
    for (let time = 0; time < 49; time++) await guess(1, `guess-${time}@example.com`, address);
    expect((await signIn({ email: 'the-fiftieth@example.com', address })).status).toBe(401);
    expect((await signIn({ email: 'another@example.com', address })).status).toBe(429);
    expect((await signIn({ email: 'another@example.com', address: newAddress() })).status).toBe(401);
  });

  it('should be counted per IPv6 network', async () => {
    const { email } = await createAccount(service);
    for (let host = 1; host <= 10; host++) await signIn({ email, address: `2001:db8:0:1::${host}` });
    expect((await signIn({ email, address: '2001:db8:0:1:ffff::1' })).status).toBe(429);
    expect((await signIn({ email, address: '2001:db8:0:2::1' })).status).toBe(401);
  });

  it('should be counted per /56 network, with four times the limit', async () => {
    const guessOften = async (subnet: number) => {
      const address = `2001:db8:1:${subnet}::1`;
      for (let time = 0; time < 50; time++) await guess(1, `guess-${subnet}-${time}@example.com`, address);
    };
    await Promise.all([0, 1, 2, 3].map(guessOften));
    expect((await signIn({ email: 'another@example.com', address: '2001:db8:1:4::1' })).status).toBe(429);
    expect((await signIn({ email: 'another@example.com', address: '2001:db8:1:100::1' })).status).toBe(401);
  });

  it('should be counted per /48 network, with sixteen times the limit', async () => {
    await guess(1, 'a-guess@example.com', '2001:db8:2::1');
    const key = `sign-in by address:${hashKey('2001:db8:2::/48')}`;
    const counted = await service.query<{ points: number }>(
      'update rate_limits set points = 799 where key = $1 and points = 1 returning points',
      [key],
    );
    expect(counted).not.toEqual([]);
    const signInFrom = async (address: string) => (await signIn({ email: 'another@example.com', address })).status;
    expect(await signInFrom('2001:db8:2:100::1')).toBe(401);
    expect(await signInFrom('2001:db8:2:200::1')).toBe(429);
    expect(await signInFrom('2001:db8:3::1')).toBe(401);
  });

  it('should not lock out known users when a neighbor guesses', async () => {
    const { email } = await createAccount(service);
    const address = newAddress();
    expect((await signIn({ email, address, password: rightPassword })).status).toBe(200);
    for (let time = 0; time < 50; time++) await guess(1, `neighbor-${time}@example.com`, address);
    expect((await signIn({ email: 'someone-else@example.com', address })).status).toBe(429);
    expect((await signIn({ email, address, password: rightPassword })).status).toBe(200);
  });

  it('should not gain attempts by signing in to another account between guesses', async () => {
    const { email } = await createAccount(service);
    const victim = await createAccount(service);
    const address = newAddress();
    for (let time = 0; time < 10; time++) {
      await signIn({ email: victim.email, address });
      await signIn({ email, address, password: rightPassword });
    }
    expect((await signIn({ email: victim.email, address })).status).toBe(429);
  });
});

describe('An attacker with many IP addresses', () => {
  it('should get at most a hundred guesses per account and window', async () => {
    const { email } = await createAccount(service);
    await attack(email);
    await expect(guess(1, email, newAddress())).rejects.toMatchObject({ status: 429 });
    const response = await signIn({ email, address: newAddress(), password: rightPassword, at: replica });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('should not lock the owner out of known IP addresses', async () => {
    const { email } = await createAccount(service);
    const home = newAddress();
    expect((await signIn({ email, address: home, password: rightPassword })).status).toBe(200);
    await attack(email);
    expect((await signIn({ email, address: home, password: rightPassword })).status).toBe(200);
    expect((await signIn({ email, address: newAddress(), password: rightPassword })).status).toBe(429);
  });

  it("should not end the owner's sessions", async () => {
    const account = await createAccount(service);
    await attack(account.email);
    expect((await call(service.url, 'GET /auth/me', { token: account.token })).status).toBe(200);
  });

  it('should block new IP addresses only until the window ends', async () => {
    const { email } = await createAccount(service);
    await attack(email);
    await endWindows();
    expect((await signIn({ email, address: newAddress(), password: rightPassword })).status).toBe(200);
  });

  it('should find IP addresses forgotten after 30 days without a sign-in', async () => {
    const { email } = await createAccount(service);
    const home = newAddress();
    await signIn({ email, address: home, password: rightPassword });
    const [mark] = await service.query<{ days: number }>(
      `select round((max(expire) - extract(epoch from now()) * 1000) / 86400000)::int as days
         from rate_limits where key like 'known address:%'`,
    );
    expect(mark?.days).toBe(30);
    await service.query(`update rate_limits set expire = 0 where key like 'known address:%'`);
    await attack(email);
    expect((await signIn({ email, address: home, password: rightPassword })).status).toBe(429);
  });
});

describe('The rate limit table', () => {
  it('should contain no email or IP address', async () => {
    const { email } = await createAccount(service);
    await signIn({ email, address: '192.0.2.123' });
    const rows = await service.query<{ key: string }>('select key from rate_limits');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ key }) => key.includes('@') || key.includes('192.0.2.123'))).toEqual([]);
  });
});

describe('The audit log', () => {
  it('should contain each attempt that was checked', async () => {
    const { email, userId, organizationId } = await createAccount(service);
    await signIn({ email, address: '192.0.2.1' });
    await signIn({ email, address: '192.0.2.1', password: rightPassword });
    const common = { actorId: userId, actorEmail: email, organizationId, address: '192.0.2.1' };
    expect(await readAuditEvents(service, { actor: email })).toMatchObject([
      { ...common, action: 'sign-in-failed', targetKind: 'user', targetId: userId },
      { ...common, action: 'sign-in', targetKind: 'session' },
    ]);
  });

  it('should contain an attempt on an unknown account with the typed email', async () => {
    await signIn({ email: 'Mallory@example.com', address: newAddress() });
    expect(await readAuditEvents(service, { actor: 'Mallory@example.com' })).toMatchObject([
      { action: 'sign-in-failed', actorId: null, organizationId: null, targetKind: 'user', targetId: null },
    ]);
  });

  it('should not contain the password', async () => {
    const { userId } = await createMember(service);
    await signIn({ email: `${userId}@example.com`, address: newAddress(), password: 'an unusual password' });
    const rows = await service.query<{ row: string }>('select event::text as row from audit_events event');
    expect(rows.filter(({ row }) => row.includes('an unusual password'))).toEqual([]);
  });
});
