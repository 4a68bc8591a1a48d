import { randomUUID } from 'node:crypto';
import { auditEventsParameters, type AuditSelection, selectAuditEvents } from '../../src/audit/read-audit-events.js';
import { insertAuditEvents, insertManySignIns } from '../factories/audit-log.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type PlanNode, rowsReadBy } from '../setup/query-plan.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
const actorId = randomUUID();
const targetId = randomUUID();

beforeAll(async () => {
  member = await createMember(service);
  await insertManySignIns(service, member, 20_000);
  await insertManySignIns(service, await createMember(service), 20_000);
  await insertAuditEvents(service, member, [
    { actorId, targetId, occurredAt: new Date('2020-01-01T00:00:00Z') },
    {
      actorEmail: 'eve@example.com',
      targetKind: 'role',
      occurredAt: new Date('2020-01-01T00:00:00Z'),
    },
    { action: 'role.delete', occurredAt: new Date('2020-01-01T00:00:00Z') },
  ]);
  await service.query('analyze audit_events');
});

/** Returns the number of rows PostgreSQL read for a page. */
async function countRowsRead(filter: Partial<AuditSelection>): Promise<number> {
  const selection = { organizationId: member.organizationId, ...filter };
  const parameters = auditEventsParameters(selection, { after: undefined, count: 51 });
  const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${selectAuditEvents}`,
    parameters,
  );
  return row === undefined ? NaN : rowsReadBy(row['QUERY PLAN'][0].Plan);
}

describe('A page of a long audit log', () => {
  it.each<[string, Partial<AuditSelection>]>([
    ['no filter', {}],
    ['a rare actor', { actorId }],
    ['a rare email', { actorEmail: 'eve@example.com' }],
    ['a rare action', { action: 'role.delete' }],
    ['a rare target kind', { targetKind: 'role' }],
    ['a rare target', { targetId }],
    ['the targets of a rare hint', { targetIds: [targetId] }],
    ['a rare person as the target', { targetEmail: 'bob@example.com' }],
    ['a request', { requestId: 'a request' }],
    ['a common actor and a rare action', { actorEmail: 'ada@example.com', action: 'role.delete' }],
    ['a period long ago', { to: new Date('2020-01-02T00:00:00Z') }],
    ['an action that never happened', { action: 'session.reuse' }],
  ])('should be read without scanning much more than the page (%s)', async (_title, filter) => {
    expect(await countRowsRead(filter)).toBeLessThanOrEqual(60);
  });
});
