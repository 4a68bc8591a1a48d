import { createAccount, rightPassword } from '../factories/accounts.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useStarted } from '../setup/use-test-app.js';
import { type Cells, killMoveAt, moveWith, setClosedSince, startCells } from './cells.js';

/** In their order. Until the target serves, a move can be canceled. */
const cancelable = ['begun', 'prepared', 'history', 'audit-log', 'keys', 'closed', 'copied'];
const final = ['activating', 'activated', 'draining', 'counters', 'handed-over', 'finished'];

const cells: Cells = useStarted(startCells);
let member: Member;
let kept: CreatedKey;
let deleted: CreatedKey;

// Each killed command leaves its listeners in this process.
beforeAll(() => void process.setMaxListeners(100));
beforeEach(async () => {
  member = await createMember(cells.source);
  kept = await createApiKey(cells.source, member, 'Kept');
  deleted = await createApiKey(cells.source, member, 'Deleted');
});

/** A free route, so that nothing is generated. */
const statusOf = async ({ url }: TestApp, { key }: CreatedKey) =>
  (await call(url, 'GET /v1/models', { token: key })).status;

const statuses = async (key: CreatedKey) => [await statusOf(cells.source, key), await statusOf(cells.target, key)];

const remove = ({ url }: TestApp, token: string, { id }: CreatedKey) => call(url, `DELETE /api-keys/${id}`, { token });

/** Deletes a key in the cell that serves it, if one does. */
async function removeWhereServed(): Promise<void> {
  const inSource = await remove(cells.source, member.token, deleted);
  if (inSource.status < 300) return;
  const [, inTarget] = await statuses(deleted);
  if (inTarget !== 200) return;
  const { token } = await openSession(cells.target, member);
  await remove(cells.target, token, deleted);
}

describe.each([...cancelable, ...final])('A move that is killed at the step %s', (step) => {
  it('should have at most one cell accept its keys, and be completed by the same command', async () => {
    expect(await killMoveAt(cells, member.organizationId, step)).toBe(true);
    const accepting = (await statuses(kept)).filter((status) => status === 200);
    expect(accepting.length).toBeLessThanOrEqual(1);
    expect(accepting).toHaveLength(['closed', 'copied', 'activating'].includes(step) ? 0 : 1);
    await removeWhereServed();
    const removed = (await statuses(deleted)).every((status) => status !== 200);
    expect(removed).toBe(true);

    await cells.move(member.organizationId);
    expect(await statuses(kept)).toEqual([421, 200]);
    expect((await statuses(deleted)).filter((status) => status === 200)).toEqual(
      ['closed', 'copied', 'activating'].includes(step) ? [200] : [],
    );
    for (const cell of [cells.source, cells.target])
      expect(await cells.run(cell, 'audit', 'verify')).toMatch(/^Verified/);
  });
});

describe.each(cancelable)('A move that is killed at the step %s and canceled', (step) => {
  it('should leave the source serving the organization, and nothing that the target accepts', async () => {
    await killMoveAt(cells, member.organizationId, step);
    await cells.move(member.organizationId, '--cancel');
    expect(await statuses(kept)).toEqual([200, 401]);
    expect((await remove(cells.source, member.token, deleted)).status).toBe(200);
    expect(await statuses(deleted)).toEqual([401, 401]);
    const left = await cells.target.query('select from api_keys where organization_id = $1', [member.organizationId]);
    expect(left).toEqual([]);

    await cells.move(member.organizationId);
    expect(await statuses(kept)).toEqual([421, 200]);
    expect((await statuses(deleted)).includes(200)).toBe(false);
    expect(await cells.run(cells.target, 'audit', 'verify')).toMatch(/^Verified/);
  });
});

describe.each(final)('A move that is killed at the step %s', (step) => {
  it('should not be canceled, because the target may serve the organization', async () => {
    await killMoveAt(cells, member.organizationId, step);
    await expect(cells.move(member.organizationId, '--cancel')).rejects.toThrow(
      'The organization is served by the target already, so the move can only be completed.',
    );
    expect(await statusOf(cells.source, kept)).not.toBe(200);
  });
});

describe('An organization that no cell serves for a moment', () => {
  beforeEach(() => killMoveAt(cells, member.organizationId, 'closed'));

  it('should get 503 with Retry-After for its keys', async () => {
    const response = await call(cells.source.url, 'GET /v1/models', { token: kept.key });
    expect(response).toMatchObject({ status: 503, body: { error: { code: 'organization_moving' } } });
    expect(response.headers.get('retry-after')).toBe('1');
  });

  it('should get 503 with Retry-After for changes', async () => {
    const response = await remove(cells.source, member.token, kept);
    expect(response).toMatchObject({ status: 503, body: { code: 'organization-moving' } });
    expect(response.headers.get('retry-after')).toBe('1');
  });

  it('should get 503 with Retry-After for signing in', async () => {
    const account = await createAccount(cells.source);
    await killMoveAt(cells, account.organizationId, 'closed');
    const body = { email: account.email, password: rightPassword };
    const response = await call(cells.source.url, 'POST /auth/sign-in', { body });
    expect(response).toMatchObject({ status: 503, body: { code: 'organization-moving' } });
    await cells.move(account.organizationId, '--cancel');
    expect((await call(cells.source.url, 'POST /auth/sign-in', { body })).status).toBe(200);
  });

  it('should not keep others from using theirs', async () => {
    const other = await createMember(cells.source);
    const key = await createApiKey(cells.source, other);
    expect(await statusOf(cells.source, key)).toBe(200);
    expect((await remove(cells.source, other.token, key)).status).toBe(200);
  });
});

describe('An organization that no cell has served for 4 seconds', () => {
  const fiveSecondsAgo = () => new Date(Date.now() - 5000).toISOString();

  it('should be served by the source again after a request with a key', async () => {
    await killMoveAt(cells, member.organizationId, 'copied');
    await setClosedSince(cells.source, member.organizationId, fiveSecondsAgo());
    expect(await statusOf(cells.source, kept)).toBe(503);
    expect(await statuses(kept)).toEqual([200, 503]);
    await cells.move(member.organizationId);
    expect(await statuses(kept)).toEqual([421, 200]);
  });

  it('should accept a change in the source again', async () => {
    await killMoveAt(cells, member.organizationId, 'closed');
    await setClosedSince(cells.source, member.organizationId, fiveSecondsAgo());
    expect((await remove(cells.source, member.token, deleted)).status).toBe(200);
    expect(await statuses(kept)).toEqual([200, 503]);
  });

  it('should not be opened in the target any more by a command that was only slow', async () => {
    const moved = moveWith(cells, member.organizationId, async (step) => {
      if (step !== 'copied') return;
      await setClosedSince(cells.source, member.organizationId, fiveSecondsAgo());
      await statusOf(cells.source, kept);
    });
    await expect(moved).rejects.toThrow('The source serves the organization again');
    expect(await statuses(kept)).toEqual([200, 503]);
  });
});
