import path from 'node:path';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { runAdmin } from '../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import type { TestApp } from '../setup/test-app.js';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
const startApp = useAppStarter();
let folder: TemporaryFolder;
let file: string;
const databases: TestDatabase[] = [];

interface Account {
  id: string;
  clientSecret: string;
}

let owner: Member;
let apiKey: { key: string };
/** Unchanged since the backup, rotated before it, and rotated after it. */
let unchanged: Account;
let rotatedBefore: Account;
let rotatedAfter: Account;
/** An access token from before the backup. */
let accessToken: string;
let openToken: string;
let withdrawnToken: string;

const send = async <Body>(route: string, body?: object): Promise<Body> =>
  (await call(service.url, route, { token: owner.token, body })).body as Body;
const createAccount = (name: string) => send<Account>('POST /service-accounts', { name, roleId: owner.roleId });
const rotate = ({ id }: Account, gracePeriodSeconds: number) =>
  send<Account>(`POST /service-accounts/${id}/rotate`, { gracePeriodSeconds });
const exchange = ({ id, clientSecret }: Account, { url }: TestApp) =>
  call(url, 'POST /auth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    rawBody: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: clientSecret,
    }).toString(),
  });
const preview = (token: string, { url }: TestApp) => call(url, 'POST /auth/preview-invitation', { body: { token } });

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  file = path.join(folder.path, 'backup');
  owner = await createMember(service);
  apiKey = await createApiKey(service, owner);
  unchanged = await createAccount('Unchanged');
  rotatedBefore = await createAccount('Rotated before');
  await rotate(rotatedBefore, 3600);
  rotatedAfter = await createAccount('Rotated after');
  accessToken = ((await exchange(rotatedAfter, service)).body as { access_token: string }).access_token;
  const invite = async (email: string) => {
    const { id, link } = await send<{ id: string; link: string }>('POST /members', { email, roleId: owner.roleId });
    return { id, token: link.split('#token=')[1] ?? '' };
  };
  openToken = (await invite('open@example.com')).token;
  const withdrawn = await invite('withdrawn@example.com');
  withdrawnToken = withdrawn.token;
  await runAdmin(service.database, 'backup', file);
  await rotate(rotatedAfter, 0);
  await send(`DELETE /invitations/${withdrawn.id}`);
  for (const account of [unchanged, rotatedBefore]) expect((await exchange(account, service)).status).toBe(200);
  expect((await exchange(rotatedAfter, service)).status).toBe(401);
  expect((await preview(withdrawnToken, service)).status).toBe(404);
});
afterAll(async () => {
  for (const { drop } of databases) await drop();
  await folder.remove();
});

async function restore(...flags: string[]) {
  const database = await createEmptyDatabase();
  databases.push(database);
  const printed = await runAdmin(database.connection, 'restore', file, ...flags);
  return { printed, restored: await startApp({ database: database.connection }) };
}

describe('npm run admin -- restore', () => {
  it('should revoke client secrets and invitations, and say how many', async () => {
    const { printed, restored } = await restore();
    expect(printed).toContain('Rotate the client secrets of the service accounts (3): they were revoked.');
    expect(printed).toContain('Invite again (2): open invitations have expired.');
    for (const account of [unchanged, rotatedBefore, rotatedAfter]) {
      expect((await exchange(account, restored)).status).toBe(401);
    }
    expect((await call(restored.url, 'GET /permissions', { token: accessToken })).status).toBe(401);
    for (const token of [openToken, withdrawnToken]) expect((await preview(token, restored)).status).toBe(404);
    expect((await call(restored.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(200);
  });

  it('should keep both listed, so that they can be renewed', async () => {
    const { restored } = await restore();
    const member = await createMember(restored, { organizationId: owner.organizationId });
    const renew = (route: string, body: object) => call(restored.url, route, { token: member.token, body });
    const rotated = await renew(`POST /service-accounts/${unchanged.id}/rotate`, { gracePeriodSeconds: 3600 });
    expect((await exchange(rotated.body as Account, restored)).status).toBe(200);
    expect((await exchange(unchanged, restored)).status).toBe(401);
    const listed = await call(restored.url, 'GET /invitations', { token: member.token });
    expect(listed.body).toMatchObject({
      invitations: [{ email: 'withdrawn@example.com' }, { email: 'open@example.com' }],
    });
    const { link } = (await renew('POST /members', { email: 'open@example.com', roleId: owner.roleId })).body as {
      link: string;
    };
    expect((await preview(link.split('#token=')[1] ?? '', restored)).status).toBe(200);
  });

  it('should keep client secrets and invitations with --keep-secrets, for moves', async () => {
    const { printed, restored } = await restore('--keep-secrets');
    expect(printed).not.toContain('revoked');
    for (const account of [unchanged, rotatedBefore, rotatedAfter]) {
      expect((await exchange(account, restored)).status).toBe(200);
    }
    expect((await preview(openToken, restored)).status).toBe(200);
  });
});
