import { v7 as uuidv7 } from 'uuid';
import type { AuditEventListDto } from '../../src/audit/dto/audit-event.dto.js';
import { LimitNoticesService } from '../../src/limits/notices/limit-notices.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readAuditEvents, withoutAudit } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useAppStarter, useReplicas, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service, replica] = useReplicas();
const startApp = useAppStarter();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member, 'Search indexer');
});

interface Notice {
  organizationId?: string;
  ownerId?: string;
  metric?: string;
  models?: string[] | null;
  percent?: number;
  charged?: string;
  max?: string;
}

/** Leaves a notice as a request does. */
const leave = (notice: Notice = {}, { query } = service) =>
  query(
    `insert into limit_notices (organization_id, owner_id, metric, per, models, percent, charged, max, period_start)
     values ($1, $2, $3, 'month', $4, $5, $6, $7, '2026-11-01T00:00:00Z')`,
    [
      notice.organizationId ?? member.organizationId,
      notice.ownerId ?? apiKey.id,
      notice.metric ?? 'cost',
      notice.models === undefined || notice.models === null ? null : JSON.stringify(notice.models),
      notice.percent ?? 80,
      notice.charged ?? '20001300000',
      notice.max ?? '25000000000',
    ],
  );

const hasNotices = async (organizationId = member.organizationId) =>
  (await service.query('select from limit_notices where organization_id = $1', [organizationId])).length > 0;
const untilTaken = (organizationId?: string) => waitFor(async () => !(await hasNotices(organizationId)));
const thresholds = async (organizationId = member.organizationId) =>
  (await readAuditEvents(service, { organizationId })).filter(({ action }) => action === 'limit.threshold');

describe('A limit that reaches a percentage', () => {
  it('should leave an event of the service itself, with amounts as limits show them', async () => {
    await leave({ models: ['claude', 'gpt-mini'] });
    await untilTaken();
    expect(await thresholds()).toEqual([
      {
        action: 'limit.threshold',
        organizationId: member.organizationId,
        actorId: null,
        actorEmail: null,
        actorKind: 'system',
        actorName: null,
        address: 'service',
        userAgent: null,
        targetKind: 'api-key',
        targetId: apiKey.id,
        targetName: 'Search indexer',
        targetHint: expect.stringMatching(/^kc_/) as string,
        before: null,
        after: {
          metric: 'cost',
          per: 'month',
          models: ['claude', 'gpt-mini'],
          percent: 80,
          charged: '20.0013',
          max: '25',
          periodStart: '2026-11-01T00:00:00.000Z',
        },
      },
    ]);
  });

  it('should be about the organization if the limit is of all keys, with whole numbers for other metrics', async () => {
    const { organizationId } = member;
    await leave({ ownerId: organizationId, metric: 'tokens', percent: 100, charged: '1001', max: '1000' });
    await untilTaken();
    expect(await thresholds()).toMatchObject([
      {
        targetKind: 'organization',
        targetId: organizationId,
        targetName: `Organization ${organizationId}`,
        targetHint: null,
        after: { metric: 'tokens', percent: 100, charged: 1001, max: 1000 },
      },
    ]);
  });

  it('should be listed and exported like other events', async () => {
    await leave();
    await untilTaken();
    const get = (route: string) => call(service.url, route, { token: member.token });
    const { auditEvents } = (await get('GET /audit-events?action=limit.threshold')).body as AuditEventListDto;
    expect(auditEvents).toMatchObject([
      { action: 'limit.threshold', actor: { kind: 'system', id: null, email: null, name: null }, address: 'service' },
    ]);
    const { text } = await get('GET /audit-events/export?action=limit.threshold');
    expect(text).toContain('"limit.threshold","api-key"');
    expect(text.trimEnd()).toMatch(/"system",(""|)$/);
  });

  it('should leave exactly one event, however many replicas look at once', async () => {
    const third = await startApp({ database: service.database });
    const percents = Array.from({ length: 99 }, (_, index) => index + 1);
    for (const percent of [...percents, ...percents, ...percents]) await leave({ percent });
    const services = [service, replica, third].map(({ app }) => app.get(LimitNoticesService));
    await Promise.all(services.map((one) => one.run()));
    await untilTaken();
    const told = (await thresholds()).map(({ after }) => (after as { percent: number }).percent);
    expect(told.sort((one, other) => one - other)).toEqual(percents.flatMap((percent) => [percent, percent, percent]));
  });

  it('should keep the name of a deleted key, and only the id of one that was deleted long ago', async () => {
    const forgotten = uuidv7();
    await call(service.url, `DELETE /api-keys/${apiKey.id}`, { token: member.token });
    await leave();
    await leave({ ownerId: forgotten });
    await untilTaken();
    expect(await thresholds()).toMatchObject([
      { targetKind: 'api-key', targetId: apiKey.id, targetName: 'Search indexer' },
      { targetKind: 'api-key', targetId: forgotten, targetName: null, targetHint: null },
    ]);
  });

  it('should leave no event for a deleted or unknown organization, and not hold up others', async () => {
    const deleted = await createMember(service);
    await call(service.url, 'DELETE /organizations/current', { token: deleted.token });
    const unknown = uuidv7();
    for (const organizationId of [deleted.organizationId, unknown]) await leave({ organizationId });
    await leave();
    await untilTaken();
    await untilTaken(deleted.organizationId);
    await untilTaken(unknown);
    expect(await thresholds()).toHaveLength(1);
    expect(await thresholds(deleted.organizationId)).toEqual([]);
  });

  it('should wait for another replica while one stops', async () => {
    const third = await startApp({ database: service.database });
    await third.stop();
    await leave();
    await untilTaken();
    expect(await thresholds()).toHaveLength(1);
  });
});

describe('An audit log that cannot be written', () => {
  const single = useTestApp();

  it('should be logged once, and get the events of limits when it can', async () => {
    const { organizationId } = await createMember(single);
    const lines = () => single.logLines.filter((line) => line.includes('Events of limits could not be recorded'));
    const events = () => readAuditEvents(single, { organizationId });
    await withoutAudit(single, async () => {
      await leave({ organizationId, ownerId: organizationId }, single);
      await waitFor(() => Promise.resolve(lines().length > 0));
      for (let attempt = 0; attempt < 10; attempt++) await single.app.get(LimitNoticesService).run();
      expect(lines()).toHaveLength(1);
      expect(await single.query('select from limit_notices')).toHaveLength(1);
    });
    await waitFor(async () => (await events()).length > 0);
    expect(await events()).toMatchObject([{ action: 'limit.threshold' }]);
  });
});
