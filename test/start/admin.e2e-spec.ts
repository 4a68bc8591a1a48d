import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { allPermissions } from '../../src/access/permissions.js';
import { isRunning } from '../../src/database/embedded-postgres/process-table.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { createAccount } from '../factories/accounts.js';
import { builtProgram } from '../setup/built-service.js';
import { call } from '../setup/call.js';
import { runAdmin, spawnAdmin as admin } from '../setup/run-admin.js';
import { waitFor } from '../setup/wait-for.js';
import { toUrl } from '../setup/test-database.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { useTestApp } from '../setup/use-test-app.js';
import { runService, type ServiceProcess } from './service-process.js';

const owner = 'admin@keycard.local';
const newPassword = 'a new password to sign in with';

const tokenIn = (printed: string) => /\/reset-password#token=([\w-]{43})\n/.exec(printed)?.[1] ?? '';

describe('npm run admin with the embedded database', () => {
  let folder: TemporaryFolder;
  let service: ServiceProcess | undefined;
  const pidFile = () => path.join(folder.path, 'postgresql', 'data', 'postmaster.pid');
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    await (await startEmbeddedPostgres(folder.path)).stop();
  });
  afterAll(async () => {
    service?.child.kill('SIGTERM');
    await service?.exited;
    await folder.remove();
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('should stop the database it started on %s', async (signal) => {
    const child = spawn(process.execPath, [builtProgram('admin'), 'list-accounts'], {
      env: { PATH: process.env['PATH'], DATA_DIR: folder.path },
      stdio: 'ignore',
    });
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const readPid = async () => Number((await readFile(pidFile(), 'utf8').catch(() => '')).split('\n')[0]);
    await waitFor(async () => (await readPid()) > 0);
    const pid = await readPid();
    child.kill(signal);
    expect((await exited)[0]).toBe(128 + constants.signals[signal]);
    await waitFor(() => Promise.resolve(!isRunning(pid)));
  });

  it('should reset a forgotten password while the service runs, and work while it is stopped', async () => {
    const environment = { DATA_DIR: folder.path };
    service = runService(environment);
    const url = await service.ready;
    expect(service.printed()).toContain(`npm run admin -- reset-password ${owner}`);
    expect(service.printed()).not.toMatch(/"password":"(?!YOUR_PASSWORD)/);

    const { code, printed } = await admin(environment, 'reset-password', owner.toUpperCase());
    expect(code).toBe(0);
    expect(printed).toContain('http://127.0.0.1:3000/reset-password#token=');
    const body = { token: tokenIn(printed), newPassword };
    expect((await call(url, 'POST /auth/reset-password', { body })).status).toBe(200);
    const signIn = await call(url, 'POST /auth/sign-in', { body: { email: owner, password: newPassword } });
    expect(signIn.status).toBe(200);
    const { accessToken: token } = signIn.body as { accessToken: string };
    const { body: log } = await call(url, 'GET /audit-events?action=password.reset-link', { token });
    expect(log).toMatchObject({
      auditEvents: [
        { actor: { id: null, email: 'Operator (command line)' }, address: 'command line', target: { name: owner } },
      ],
    });
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.printed()).not.toContain(body.token);

    const listed = await admin(environment, 'list-accounts');
    expect(listed).toMatchObject({ code: 0, errors: '' });
    expect(listed.printed).toMatch(/^admin@keycard\.local +Administrator +password +Default \(Owner\) +\d{4}-/m);
  });

  it('should not create a database in a folder without one', async () => {
    const empty = await makeTemporaryFolder();
    const { code, errors } = await admin({ DATA_DIR: empty.path }, 'list-accounts');
    await empty.remove();
    expect(code).toBe(1);
    expect(errors).toBe(
      `DATA_DIR (${empty.path}) contains no database. Set DATA_DIR or DATABASE_URL to the service's value.\n`,
    );
  });
});

describe('npm run admin with DATABASE_URL', () => {
  const service = useTestApp();
  let environment: Record<string, string>;
  beforeAll(() => {
    environment = { DATABASE_URL: toUrl(service.database) };
  });

  const events = (action: string) =>
    service.query<{ organization_id: string; target_name: string; after: unknown }>(
      'select organization_id, target_name, after from audit_events where action = $1',
      [action],
    );

  it('should make an account Owner of another organization by name or id', async () => {
    const { email, userId } = await createAccount(service);
    const { organizationId } = await createAccount(service);
    await service.query(`update organizations set name = 'Research' where id = $1`, [organizationId]);
    expect(await admin(environment, 'add-owner', email, 'Research')).toMatchObject({ code: 0, errors: '' });
    const held = await service.query<{ count: number }>(
      `select cardinality(permissions) as count from memberships join roles on roles.id = role_id
       where user_id = $1 and memberships.organization_id = $2`,
      [userId, organizationId],
    );
    expect(held).toEqual([{ count: allPermissions.length }]);
    expect(await events('member.add-owner')).toEqual([
      { organization_id: organizationId, target_name: email, after: { role: expect.any(String) as string } },
    ]);
    await expect(runAdmin(service.database, 'add-owner', email, organizationId)).resolves.toContain(email);
  });

  it('should record that accounts were listed', async () => {
    const before = await events('account.list');
    await runAdmin(service.database, 'list-accounts');
    expect(await events('account.list')).toEqual([
      ...before,
      { organization_id: null, target_name: null, after: null },
    ]);
  });

  it('should record a password reset in every organization of the account', async () => {
    const { email, organizationId } = await createAccount(service);
    const other = await createAccount(service);
    await runAdmin(service.database, 'add-owner', email, other.organizationId);
    await runAdmin(service.database, 'reset-password', email);
    const recorded = await events('password.reset-link');
    expect(recorded).toHaveLength(2);
    for (const id of [organizationId, other.organizationId]) {
      expect(recorded).toContainEqual({ organization_id: id, target_name: email, after: null });
    }
  });

  it('should refuse to delete the last administrator without --force', async () => {
    const { email, organizationId, token } = await createAccount(service);
    const rejected = await admin(environment, 'delete-account', email);
    expect(rejected.code).toBe(1);
    expect(rejected.errors).toMatch(/^"Organization .*" would have no administrator left\. .*--force\.\n$/);
    expect((await call(service.url, 'GET /auth/me', { token })).status).toBe(200);
    expect(await events('account.delete')).toEqual([]);

    expect(await admin(environment, 'delete-account', email, '--force')).toMatchObject({ code: 0, errors: '' });
    expect((await call(service.url, 'GET /auth/me', { token })).status).toBe(401);
    expect(await events('account.delete')).toEqual([
      { organization_id: organizationId, target_name: email, after: null },
    ]);
  });

  it('should exit with code 1 and one sentence for an unknown account, and 2 with its usage for an unknown command', async () => {
    const [reset, add, unknown] = await Promise.all([
      admin(environment, 'reset-password', 'missing@example.com'),
      admin(environment, 'add-owner', 'missing@example.com', 'Default'),
      admin(environment, 'explode'),
    ]);
    for (const { code, printed, errors } of [reset, add]) {
      expect([code, printed]).toEqual([1, '']);
      expect(errors).toMatch(/^No account has the email "missing@example\.com"\.[^\n]*\n$/);
    }
    expect([unknown.code, unknown.printed]).toEqual([2, '']);
    expect(unknown.errors).toMatch(/^Unknown command: explode\.\n\nUsage: npm run admin/);
  });

  it('should print its help', async () => {
    const { code, printed } = await admin({}, '--help');
    expect(code).toBe(0);
    for (const command of [
      'reset-password EMAIL',
      'list-accounts',
      'delete-account EMAIL',
      'add-owner EMAIL ORGANIZATION',
      'backup FILE',
      'check-backup FILE',
      'restore FILE',
      'migrate',
    ]) {
      expect(printed).toContain(`\n  ${command}\n`);
    }
  });
});
