import { ExpiredKeysService } from '../../src/api-keys/expired/expired-keys.service.js';
import { createRestrictedKey, type CreatedKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useStarted } from '../setup/use-test-app.js';
import { type Cells, moveWith, startCells } from './cells.js';

const cells: Cells = useStarted(startCells);
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(cells.source);
  const expiresAt = new Date(Date.now() + 3_600_000);
  key = await createRestrictedKey(cells.source, member, { expiresAt, deleteWhenExpired: true });
});

const statusOf = async ({ url }: TestApp) => (await call(url, 'GET /v1/models', { token: key.key })).status;
const keyIn = async ({ query }: TestApp) => {
  const [row] = await query<{ temporary: boolean }>(
    'select delete_when_expired as temporary from api_keys where id = $1',
    [key.id],
  );
  return row?.temporary;
};
/** Lets the key have expired long enough ago, in a cell that has it. */
const expireIn = ({ query }: TestApp) =>
  query(`update api_keys set expires_at = now() - interval '6 minutes' where id = $1`, [key.id]);
const deleteExpired = ({ app }: TestApp) => app.get(ExpiredKeysService).run();
const deletionsIn = async (cell: TestApp) => {
  const events = await readAuditEvents(cell, { targetId: key.id });
  return events.filter(({ action }) => action === 'api-key.delete').length;
};

/** Both cells delete expired keys when a step is complete. */
const moveDeletingAt = (at: string, check: () => Promise<void>) =>
  moveWith(cells, member.organizationId, async (step) => {
    if (step !== at) return;
    for (const cell of [cells.source, cells.target]) await expireIn(cell);
    for (const cell of [cells.source, cells.target]) await deleteExpired(cell);
    await check();
  });

describe('A key of a moving organization that is deleted when it has expired', () => {
  it('should still be one in the target', async () => {
    await cells.move(member.organizationId);
    expect(await statusOf(cells.target)).toBe(200);
    expect(await keyIn(cells.target)).toBe(true);
    await expireIn(cells.target);
    await deleteExpired(cells.target);
    expect(await keyIn(cells.target)).toBeUndefined();
    expect(await statusOf(cells.source)).toBe(421);
    expect(await statusOf(cells.target)).toBe(401);
  });

  it('should be deleted in the source before the switch, and then be missing in the target', async () => {
    await moveDeletingAt('keys', async () => {
      expect(await keyIn(cells.source)).toBeUndefined();
      expect(await keyIn(cells.target)).toBe(true);
    });
    expect(await keyIn(cells.target)).toBeUndefined();
    expect([await statusOf(cells.source), await statusOf(cells.target)]).toEqual([401, 401]);
    expect(await cells.target.query('select id from deleted_api_keys where id = $1', [key.id])).toEqual([
      { id: key.id },
    ]);
    expect(await deletionsIn(cells.target)).toBe(1);
  });

  it('should not be deleted by a cell while neither serves', async () => {
    await moveDeletingAt('closed', async () => {
      expect([await keyIn(cells.source), await keyIn(cells.target)]).toEqual([true, true]);
    });
    await deleteExpired(cells.target);
    expect(await keyIn(cells.target)).toBeUndefined();
    expect(await statusOf(cells.target)).toBe(401);
    expect(await deletionsIn(cells.target)).toBe(1);
    expect(await deletionsIn(cells.source)).toBe(0);
  });

  it('should only be deleted by the target after the switch, and be rejected by both', async () => {
    await moveDeletingAt('draining', async () => {
      expect([await keyIn(cells.source), await keyIn(cells.target)]).toEqual([true, undefined]);
      expect([await statusOf(cells.source), await statusOf(cells.target)]).not.toContain(200);
    });
    expect([await keyIn(cells.source), await keyIn(cells.target)]).toEqual([undefined, undefined]);
    expect([await statusOf(cells.source), await statusOf(cells.target)]).not.toContain(200);
    expect(await deletionsIn(cells.target)).toBe(1);
    expect(await deletionsIn(cells.source)).toBe(0);
    expect(await cells.run(cells.target, 'audit', 'verify')).toMatch(/^Verified/);
  });
});
