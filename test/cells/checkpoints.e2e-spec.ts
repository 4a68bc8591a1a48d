import { AuditTreesService } from '../../src/audit/proofs/audit-trees.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useStarted } from '../setup/use-test-app.js';
import { type Cells, moveWith, startCells } from './cells.js';

const cells: Cells = useStarted(startCells);
let member: Member;

beforeEach(async () => {
  member = await createMember(cells.source);
});

const sign = async () => {
  const { status } = await call(cells.source.url, 'GET /audit-events/checkpoint', { token: member.token });
  expect(status).toBe(200);
};

const checkpointsOf = ({ query }: TestApp) =>
  query<{ number: string; size: string; note: string }>(
    'select number, size, note from audit_checkpoints where tree_id = $1 order by number',
    [member.organizationId],
  );

describe('The audit log of an organization that is moving', () => {
  it("should have the source's checkpoints in the target, which signs none while it is being copied", async () => {
    await createApiKey(cells.source, member);
    await sign();
    await moveWith(cells, member.organizationId, async (step) => {
      if (step === 'keys') {
        // Follows what was copied.
        await createApiKey(cells.source, member);
        await sign();
      }
      if (['audit-log', 'keys', 'closed'].includes(step)) {
        await cells.target.app.get(AuditTreesService).signGrownTrees();
        expect(await checkpointsOf(cells.target)).toEqual([]);
      }
    });
    const signed = await checkpointsOf(cells.source);
    expect(signed).toHaveLength(2);
    expect(await checkpointsOf(cells.target)).toEqual(signed);
    expect(await cells.run(cells.target, 'audit', 'verify')).toMatch(/^Verified/);
  });
});
