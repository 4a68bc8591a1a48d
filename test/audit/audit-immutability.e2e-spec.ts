import { insertAuditEvents } from '../factories/audit-log.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();

beforeAll(async () => {
  await insertAuditEvents(service, await createMember(service), [{}, {}]);
});

describe('The audit log in the database', () => {
  it.each([
    ['update', `update audit_events set actor_email = 'nobody@example.com'`],
    ['update without changes', 'update audit_events set action = action where false'],
    ['delete', 'delete from audit_events'],
    ['truncate', 'truncate audit_events'],
    ['truncate of a referenced table', 'truncate organizations cascade'],
    ['deletion of the organization', 'delete from organizations'],
    ['insert that becomes an update', upsert('do update set action = excluded.action')],
    [
      'merge',
      'merge into audit_events using audit_events as other on audit_events.id = other.id when matched then delete',
    ],
  ])("should reject an %s by the service's role", async (_title, statement) => {
    const before = await service.query('select * from audit_events order by id');
    await expect(service.query(statement)).rejects.toThrow(/cannot be changed or deleted|violates foreign key/);
    expect(await service.query('select * from audit_events order by id')).toEqual(before);
  });

  it("should not grant the service's role update or delete", async () => {
    const rights = await service.query<{ privilege_type: string }>(
      `select privilege_type from information_schema.role_table_grants
       where table_name = 'audit_events' and grantee = current_user`,
    );
    const names = rights.map(({ privilege_type }) => privilege_type);
    expect(names).toEqual(expect.arrayContaining(['INSERT', 'SELECT']));
    for (const right of ['UPDATE', 'DELETE', 'TRUNCATE']) expect(names).not.toContain(right);
  });
});

function upsert(then: string): string {
  return `insert into audit_events (id, action, address, target_kind)
    select id, action, address, target_kind from audit_events on conflict (id) ${then}`;
}
