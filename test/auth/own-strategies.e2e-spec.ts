import { createApiKey } from '../factories/api-keys.js';
import { createMember, openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter } from '../setup/use-test-app.js';

const startApp = useAppStarter();

const statusOf = async ({ url }: TestApp, token: string, route = 'GET /auth/me') =>
  (await call(url, route, { token })).status;

describe('Applications in one process', () => {
  it('should each accept exactly the access tokens that their own secret signed', async () => {
    const first = await startApp({ config: { jwtSecrets: ['the first secret, longer than 32 bytes'] } });
    const { database } = first;
    const last = await startApp({ database, config: { jwtSecrets: ['the last secret, longer than 32 bytes'] } });
    const member = await createMember(first);
    const { token: lastToken } = await openSession(last, member);
    expect([await statusOf(first, member.token), await statusOf(last, lastToken)]).toEqual([200, 200]);
    expect([await statusOf(first, lastToken), await statusOf(last, member.token)]).toEqual([401, 401]);
  });

  it('should each read sessions from their own database', async () => {
    const [first, last] = [await startApp(), await startApp()];
    const [member, stranger] = [await createMember(first), await createMember(last)];
    expect([await statusOf(first, member.token), await statusOf(last, stranger.token)]).toEqual([200, 200]);
    expect([await statusOf(first, stranger.token), await statusOf(last, member.token)]).toEqual([401, 401]);
  });

  it('should each accept exactly the API keys in their own database', async () => {
    const [first, last] = [await startApp(), await startApp()];
    const { key } = await createApiKey(first, await createMember(first));
    const { key: lastKey } = await createApiKey(last, await createMember(last));
    const statusOfKey = (app: TestApp, token: string) => statusOf(app, token, 'GET /v1/key');
    expect([await statusOfKey(first, key), await statusOfKey(last, lastKey)]).toEqual([200, 200]);
    expect([await statusOfKey(first, lastKey), await statusOfKey(last, key)]).toEqual([401, 401]);
  });
});
