import { RetentionService } from '../../src/retention/retention.service.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { daysAgo } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useStarted } from '../setup/use-test-app.js';
import { type Cells, moveWith, startCells } from './cells.js';

/** More keys have the same creator and the same tags than a cohort needs. */
const keyCount = 11;

const cells: Cells = useStarted(startCells);
let owner: Member;
let colleague: Member;
/** Someone who was removed, and whose keys are still used. */
let former: Member;
/** Accounts of the colleague and the former member, which have other ids in the target. */
let idsInTarget: Record<string, string>;
let neighbor: Member;

const createKeys = (cell: TestApp, member: Member, tags: string[]) =>
  Promise.all(
    Array.from({ length: keyCount }, async (_, index) => {
      const { id } = await createRestrictedKey(cell, member, { name: `${tags.join(' ')} ${index}`, tags });
      return id;
    }),
  );

/** Each key has one more request than the one before. */
const recordDay = (cell: TestApp, { organizationId }: Member, day: string, ids: string[]) =>
  recordUsageAt(
    cell,
    `${day}T10:30:00Z`,
    ids.flatMap((apiKeyId, index) =>
      Array.from({ length: index + 1 }, () => ({ organizationId, apiKeyId, inputTokens: 3 + index })),
    ),
  );

const pack = ({ app }: TestApp) => app.get(RetentionService).run();

const period = `from=${daysAgo(70)}T00:00:00Z&to=${daysAgo(0)}T00:00:00Z`;
const paths = [
  ...['creator', 'tag', 'apiKey', 'model'].map((groupBy) => `interval=none&groupBy=${groupBy}`),
  ...['creator', 'tag'].map((groupBy) => `interval=day&groupBy=${groupBy}`),
].map((query) => `/usage?${period}&${query}`);

const report = ({ url }: TestApp, { token }: Pick<Member, 'token'>) =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body } = await call(url, `GET ${path}`, { token });
      expect(status).toBe(200);
      return body as UsageReportDto;
    }),
  );

const staleCohorts = ({ query }: TestApp) => query('select organization_id from usage_cohorts where is_stale');
const cohortsOf = ({ query }: TestApp, { organizationId }: Member) =>
  query('select from usage_cohorts where organization_id = $1', [organizationId]);

beforeEach(async () => {
  const { source, target } = cells;
  owner = await createMember(source);
  const { organizationId } = owner;
  colleague = await createMember(source, { organizationId });
  former = await createMember(source, { organizationId });
  idsInTarget = {};
  for (const { userId } of [colleague, former]) {
    const account = await createMember(target, { email: `${userId}@example.com` });
    await target.query(`update users set email_verified_at = now(), email_verified_by = 'provider' where id = $1`, [
      account.userId,
    ]);
    idsInTarget[userId] = account.userId;
  }
  neighbor = await createMember(target);
  await recordDay(target, neighbor, daysAgo(40), await createKeys(target, neighbor, ['production']));
  await pack(target);
});

describe('Usage by creator and by tag of a moved organization', () => {
  let before: UsageReportDto[];

  beforeEach(async () => {
    const { source } = cells;
    const ids = [
      ...(await createKeys(source, owner, ['production'])),
      ...(await createKeys(source, colleague, ['eu', 'production'])),
      ...(await createKeys(source, former, [])),
    ];
    await recordDay(source, owner, daysAgo(40), ids);
    await recordDay(source, owner, daysAgo(3), ids);
    const { status } = await call(source.url, `DELETE /members/${former.membershipId}`, { token: owner.token });
    expect(status).toBeLessThan(300);
    await pack(source);
    expect(await cohortsOf(source, owner)).not.toEqual([]);
    const deleted = [ids[0], ids[keyCount]];
    for (const id of deleted) await call(source.url, `DELETE /api-keys/${id}`, { token: owner.token });
    await recordDay(source, owner, daysAgo(2), ids.slice(1));
    before = await report(source, owner);
  });

  /** With the ids that accounts have in the target. */
  const expected = () =>
    JSON.parse(
      Object.entries(idsInTarget).reduce((text, [id, other]) => text.replaceAll(id, other), JSON.stringify(before)),
    ) as UsageReportDto[];

  it('should be the same as before, also once the target adds it up', async () => {
    const { target } = cells;
    await cells.move(owner.organizationId);
    const arrived = await openSession(target, owner);
    expect(await report(target, arrived)).toEqual(expected());
    expect(await staleCohorts(target)).toEqual([]);
    await pack(target);
    expect(await cohortsOf(target, owner)).not.toEqual([]);
    expect(await report(target, arrived)).toEqual(expected());
  });

  it('should be the same as before if the target packs usage during the move', async () => {
    const { source, target } = cells;
    await moveWith(cells, owner.organizationId, async (step) => {
      if (['history', 'audit-log', 'keys', 'draining', 'counters', 'handed-over', 'finished'].includes(step)) {
        await pack(target);
        await pack(source);
      }
    });
    await pack(target);
    expect(await staleCohorts(target)).toEqual([]);
    expect(await cohortsOf(target, owner)).not.toEqual([]);
    expect(await report(target, await openSession(target, owner))).toEqual(expected());
  });

  it('should leave that of other organizations of the target alone', async () => {
    const { target } = cells;
    const cohorts = await cohortsOf(target, neighbor);
    const own = await report(target, neighbor);
    await cells.move(owner.organizationId);
    await pack(target);
    expect(await cohortsOf(target, neighbor)).toEqual(cohorts);
    expect(await report(target, neighbor)).toEqual(own);
  });
});
