import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { exportedTables } from '../../src/admin/cells/organization-tables.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';
import { runAdmin } from '../setup/run-admin.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
const startApp = useAppStarter();
let folder: TemporaryFolder;
let member: Member;
let other: Member;
let key: CreatedKey;
let otherKey: CreatedKey;
let file: string;
let restored: TestDatabase;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  file = path.join(folder.path, 'one.backup');
  member = await createMember(service, { passwordHash: 'a password hash' });
  other = await createMember(service);
  key = await createApiKey(service, member);
  otherKey = await createApiKey(service, other);
  const { token } = member;
  await call(service.url, 'POST /webhooks', { token, body: { url: 'https://receiver.example/hook' } });
  await runAdmin(service.database, 'export-organization', member.organizationId, '--output', file);
  restored = await createEmptyDatabase();
  await runAdmin(restored.connection, 'restore', file);
});
afterAll(async () => {
  await restored.drop();
  await folder.remove();
});

const readText = async () => gunzipSync(await readFile(file)).toString();

describe('npm run admin -- export-organization', () => {
  it('should write a file that check-backup accepts', async () => {
    expect(await runAdmin(service.database, 'check-backup', file)).toContain('is undamaged');
  });

  it('should write an organization that works when it is restored', async () => {
    const app = await startApp({ database: restored.connection });
    expect((await call(app.url, 'GET /v1/models', { token: key.key })).status).toBe(200);
    expect((await call(app.url, 'GET /v1/models', { token: otherKey.key })).status).toBe(401);
    const { token } = await openSession(app, member);
    expect((await call(app.url, 'GET /members', { token })).status).toBe(200);
    const { webhooks } = (await call(app.url, 'GET /webhooks', { token })).body as { webhooks: unknown[] };
    expect(webhooks).toMatchObject([{ enabled: false }]);
  });

  it('should contain nothing of other organizations', async () => {
    const text = await readText();
    expect(text).toContain(member.organizationId);
    for (const foreign of [other.organizationId, other.userId, otherKey.id]) expect(text).not.toContain(foreign);
  });

  it('should contain no password and no webhook secret', async () => {
    const [webhook] = await service.query<{ secret: Buffer }>('select secret from webhooks');
    const text = await readText();
    expect(text).not.toContain('a password hash');
    expect(text).not.toContain(webhook?.secret.toString('hex'));
  });

  it('should be recorded in the audit log of the organization', async () => {
    const found = await service.query('select action from audit_events where organization_id = $1 and action = $2', [
      member.organizationId,
      'organization.export',
    ]);
    expect(found).toHaveLength(1);
  });

  it('should refuse unknown organizations, and files that exist', async () => {
    const run = (id: string, name: string) =>
      runAdmin(service.database, 'export-organization', id, '--output', path.join(folder.path, name));
    await expect(run(randomUUID(), 'two')).rejects.toThrow('No organization has this id.');
    await expect(run('Research', 'two')).rejects.toThrow('must be an id');
    await expect(run(member.organizationId, 'one.backup')).rejects.toThrow('exists');
  });

  it('should decide about every table', async () => {
    const tables = await service.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = current_schema()
       and tablename not in ('migrations', 'sessions', 'password_resets', 'rate_limits', 'database_history', 'database_identity')`,
    );
    expect(Object.keys(exportedTables).sort()).toEqual(tables.map(({ name }) => name).sort());
  });
});
