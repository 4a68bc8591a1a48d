import { randomUUID } from 'node:crypto';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { AddPeople1795690000000 } from '../../src/database/migrations/1795690000000-AddPeople.js';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';

const migration = new AddPeople1795690000000();
let database: TestDatabase;
let source: DataSource;
let runner: QueryRunner;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.connection);
  source = await new DataSource(dataSourceOptions(database.connection)).initialize();
  runner = source.createQueryRunner();
  await migration.down(runner);
});
afterEach(async () => {
  await runner.release();
  await source.destroy();
  await database.drop();
});

const query = <Row>(sql: string, parameters: unknown[] = []) => runner.query(sql, parameters) as Promise<Row[]>;

async function addOrganization(role = 'Owner'): Promise<{ organizationId: string; roleId: string }> {
  const [organizationId, roleId] = [randomUUID(), randomUUID()];
  await query("insert into organizations (id, name) values ($1, 'Research')", [organizationId]);
  await query("insert into roles (id, organization_id, name, permissions) values ($1, $2, $3, '{get-usage}')", [
    roleId,
    organizationId,
    role,
  ]);
  return { organizationId, roleId };
}

async function addUser(name: string): Promise<string> {
  const id = randomUUID();
  await query('insert into users (id, email, name) values ($1, $2, $3)', [id, `${id}@example.com`, name]);
  return id;
}

const rolesOf = async (organizationId: string) => {
  const roles = await query<{ name: string }>('select name from roles where organization_id = $1 order by name', [
    organizationId,
  ]);
  return roles.map(({ name }) => name);
};

describe('The migration that adds people', () => {
  it('should add the role Auditor once per organization, and delete it on revert if no member has it', async () => {
    const { organizationId } = await addOrganization();
    const own = await addOrganization('AUDITOR');
    await migration.up(runner);
    expect(await rolesOf(organizationId)).toEqual(['Auditor', 'Owner']);
    expect(await rolesOf(own.organizationId)).toEqual(['AUDITOR']);
    await migration.down(runner);
    expect(await rolesOf(organizationId)).toEqual(['Owner']);
    expect(await rolesOf(own.organizationId)).toEqual(['AUDITOR']);
    await migration.up(runner);
    const [auditor] = await query<{ id: string }>("select id from roles where name = 'Auditor'");
    await query('insert into memberships (id, user_id, organization_id, role_id) values ($1, $2, $3, $4)', [
      randomUUID(),
      await addUser('Ada'),
      organizationId,
      auditor?.id,
    ]);
    await migration.down(runner);
    expect(await rolesOf(organizationId)).toEqual(['Auditor', 'Owner']);
  });

  it('should not add a role where an identity provider assigns roles by name', async () => {
    const { organizationId, roleId } = await addOrganization();
    const userId = await addUser('Ada');
    await query('insert into memberships (id, user_id, organization_id, role_id) values ($1, $2, $3, $4)', [
      randomUUID(),
      userId,
      organizationId,
      roleId,
    ]);
    await query(
      "insert into user_identities (id, user_id, issuer, subject) values ($1, $2, 'https://example.com', 'a')",
      [randomUUID(), userId],
    );
    await migration.up(runner);
    expect(await rolesOf(organizationId)).toEqual(['Owner']);
  });

  it('should find members whom earlier releases removed, with the event of their removal', async () => {
    const { organizationId, roleId } = await addOrganization();
    const [ada, grace, member] = [await addUser('Ada'), await addUser('Grace'), await addUser('Edith')];
    for (const userId of [ada, grace, member]) {
      await query(
        `insert into provisioned_memberships (user_id, organization_id, role_ids, claimed_at, updated_at)
         values ($1, $2, '{}', now(), '2026-02-01')`,
        [userId, organizationId],
      );
    }
    await query('insert into memberships (id, user_id, organization_id, role_id) values ($1, $2, $3, $4)', [
      randomUUID(),
      member,
      organizationId,
      roleId,
    ]);
    await query(
      `insert into audit_events
         (id, organization_id, occurred_at, action, address, target_kind, target_id, target_name, before)
       values ($1, $2, '2026-01-01', 'member.delete', '127.0.0.1', 'member', $3, $4, '{"role": "Viewer"}')`,
      [randomUUID(), organizationId, randomUUID(), `${ada}@example.com`],
    );
    await migration.up(runner);
    const former = await query(
      `select user_id, name, role, removed_at = '2026-01-01' as "isEvent", removed_at = '2026-02-01' as "isRow"
       from former_members where organization_id = $1 order by name`,
      [organizationId],
    );
    expect(former).toEqual([
      { user_id: ada, name: 'Ada', role: 'Viewer', isEvent: true, isRow: false },
      { user_id: grace, name: 'Grace', role: null, isEvent: false, isRow: true },
    ]);
  });
});
