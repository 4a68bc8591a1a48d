import { createAccount, rightPassword } from '../factories/accounts.js';
import { call } from '../setup/call.js';
import { refreshTokenOf, withRefreshToken } from '../setup/cookies.js';
import { useTestApp } from '../setup/use-test-app.js';
import { runReplica } from './replica.js';
import type { ServiceProcess } from './service-process.js';

const oldSecret = 'the old secret that is longer than 32 bytes';
const newSecret = 'the new secret that is longer than 32 bytes';

/** The settings of a rotation, in order. */
const settings = [oldSecret, `${oldSecret},${newSecret}`, `${newSecret}, ${oldSecret}`, newSecret];

/** Owns the replicas' database. */
const owner = useTestApp();
let processes: ServiceProcess[] = [];
/** One replica per setting. */
let replicas: string[] = [];
beforeAll(async () => {
  processes = settings.map((JWT_SECRET) => runReplica(owner, { JWT_SECRET }));
  replicas = await Promise.all(processes.map(({ ready }) => ready));
});
afterAll(async () => {
  for (const { child, exited } of processes) {
    child.kill('SIGKILL');
    await exited;
  }
});

const me = async (url: string, token: string) => (await call(url, 'GET /auth/me', { token })).status;

async function signIn(url: string): Promise<{ accessToken: string; refreshToken: string }> {
  const { email } = await createAccount(owner);
  const response = await call(url, 'POST /auth/sign-in', { body: { email, password: rightPassword } });
  const { accessToken } = response.body as { accessToken: string };
  return { accessToken, refreshToken: String(refreshTokenOf(response)) };
}

describe('Rotating JWT_SECRET', () => {
  it.each([0, 1, 2])("should keep all replicas' tokens valid everywhere during rolling restart %#", async (step) => {
    const pair = replicas.slice(step, step + 2);
    for (const from of pair) {
      const { accessToken } = await signIn(from);
      for (const to of pair) expect(await me(to, accessToken)).toBe(200);
    }
  });

  it('should reject tokens of a removed secret but keep their sessions', async () => {
    const [before = '', , both = '', after = ''] = replicas;
    const { accessToken, refreshToken } = await signIn(before);
    expect(await me(both, accessToken)).toBe(200);
    expect(await me(after, accessToken)).toBe(401);
    const refreshed = await call(after, 'POST /auth/refresh', { headers: withRefreshToken(refreshToken) });
    expect(refreshed.status).toBe(200);
    expect(await me(after, (refreshed.body as { accessToken: string }).accessToken)).toBe(200);
  });

  it('should accept a token of the old secret for signing out', async () => {
    const [before = '', , both = ''] = replicas;
    const { accessToken } = await signIn(before);
    expect((await call(both, 'POST /auth/sign-out', { token: accessToken })).status).toBe(200);
    expect(await me(before, accessToken)).toBe(401);
  });

  it('should reject malformed tokens and tokens of another secret', async () => {
    const [before = '', , both = '', after = ''] = replicas;
    const { accessToken } = await signIn(after);
    expect(await me(before, accessToken)).toBe(401);
    for (const token of [accessToken.slice(0, -2), `${accessToken}x`, 'a.b.c', 'a']) {
      expect(await me(both, token)).toBe(401);
    }
  });
});
