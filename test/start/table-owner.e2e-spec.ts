import { randomUUID } from 'node:crypto';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { migrate } from '../../src/database/migrate.js';
import { spawnAdmin } from '../setup/run-admin.js';
import { administrate, createEmptyDatabase, type TestDatabase, toUrl } from '../setup/test-database.js';
import { runService } from './service-process.js';

/** Roles are global to the server, so this run has its own. */
const role = `keycard_service_${randomUUID().replaceAll('-', '')}`;
const jwtSecret = 'the secret of the tests, longer than 32 bytes';

let database: TestDatabase;
let owner: DatabaseConnection;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createEmptyDatabase();
  owner = database.connection;
  await administrate(owner, `create role ${role}`);
  const url = new URL(toUrl(owner));
  url.searchParams.set('options', `-c role=${role}`);
  environment = { DATABASE_URL: url.href, JWT_SECRET: jwtSecret };
});
afterAll(async () => {
  await administrate(owner, `drop owned by ${role}`);
  await administrate(owner, `drop role ${role}`);
  await database.drop();
});

/** Returns what the service prints when it doesn't start. */
async function startupFailure(): Promise<string> {
  const service = runService(environment);
  expect(await service.exited).toBe(1);
  return service.printed();
}

const advice = () =>
  `belong to the role ${owner.user}, but Keycard connects as ${role}. Migrate with the DATABASE_URL of ${owner.user} ` +
  `(npm run admin -- migrate), or give the tables to ${role}: reassign owned by "${owner.user}" to "${role}".`;

describe('A database in which the role of DATABASE_URL', () => {
  it('may not create tables should name the role and the permission', async () => {
    expect(await startupFailure()).toBe(
      'Keycard cannot start: The database could not be migrated: permission denied for schema public. ' +
        `Make the role ${role} the owner of the database.\n`,
    );
  });

  it('does not own the tables should name them, their owner and what to do', async () => {
    await migrate(owner);
    await administrate(owner, 'delete from migrations');
    expect(await startupFailure()).toMatch(
      /^Keycard cannot start: The database could not be migrated: permission denied for schema public\. /,
    );
    await administrate(owner, `grant usage on schema public to ${role}`);
    await administrate(owner, `grant select, insert, update, delete on all tables in schema public to ${role}`);
    const printed = await startupFailure();
    expect(printed).toMatch(
      /^Keycard cannot start: The database could not be migrated: permission denied for schema public\. /,
    );
    expect(printed).toMatch(/ In the database, the table \w+ and \d+ others /);
    expect(printed).toContain(advice());
    expect(printed.split('\n')).toHaveLength(2);

    const { code, errors } = await spawnAdmin(environment, 'list-accounts');
    expect(code).toBe(1);
    expect(errors).toContain(advice());
    expect(errors.split('\n')).toHaveLength(2);
  });
});
