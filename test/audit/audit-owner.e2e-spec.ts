import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { migrate } from '../../src/database/migrate.js';
import { parseCheckpoint } from '../../src/audit/proofs/checkpoint.js';
import { recordKeyCreation } from '../factories/audit-log.js';
import { signedApp } from '../factories/audit-proofs.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { useTestApp } from '../setup/use-test-app.js';

/** Roles are global to the server, so this run has its own. */
const role = `keycard_service_${randomUUID().replaceAll('-', '')}`;

let database: TestDatabase;
let owner: pg.Client;

const service = useTestApp(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.connection);
  await owner.connect();
  const [, sql = ''] = /^```sql\n([\s\S]*?)^```$/m.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
  await owner.query(sql.replaceAll('keycard_service', role));
  const connection: DatabaseConnection = { ...database.connection, options: `-c role=${role}` };
  await migrate(connection);
  return { database: connection, ...signedApp() };
});
afterAll(async () => {
  await owner.query(`drop owned by ${role}`);
  await owner.query(`drop role ${role}`);
  await owner.end();
  await database.drop();
});

describe('The service role created by docs/audit.md', () => {
  it('should be sufficient for the service', async () => {
    expect(await service.query('select current_user as name')).toEqual([{ name: role }]);
    const member = await createMember(service);
    await recordKeyCreation(service, member, 'Search indexer');
    const { id, key } = await createApiKey(service, member);
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
    expect((await call(service.url, `DELETE /api-keys/${id}`, { token: member.token })).status).toBe(200);
    const response = await call(service.url, 'GET /audit-events', { token: member.token });
    expect(response.text).toContain('Search indexer');
    const checkpoint = await call(service.url, 'GET /audit-events/checkpoint', { token: member.token });
    expect(parseCheckpoint(checkpoint.text)?.size).toBe(3);
  });

  it.each([
    'update audit_events set action = action',
    'delete from audit_events',
    'update audit_leaves set seal = null',
    'delete from audit_leaves',
    'delete from audit_nodes',
    'delete from audit_checkpoints',
    'drop trigger audit_leaves_are_final on audit_leaves',
    'truncate audit_events',
    'alter table audit_events disable trigger all',
    'drop trigger audit_events_are_final on audit_events',
    'drop table audit_events',
    'create or replace function refuse_to_change_audit_events() returns trigger language plpgsql as $$ begin end $$',
    'alter table audit_events owner to current_user',
    'delete from migrations',
    `set session_replication_role = 'replica'`,
  ])('should not be allowed to %s', async (statement) => {
    await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
