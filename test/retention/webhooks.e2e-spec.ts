import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { createRole, createWebhook, webhookConfig } from '../webhooks/webhook-app.js';
import { waitFor } from '../setup/wait-for.js';
import { runRetention } from './retained-usage.js';

const service = useTestApp({ config: webhookConfig() });
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
  await createWebhook(service, owner, { url: 'http://127.0.0.1:1024/' });
});

const count = async (table: string) =>
  (await service.query(`select from ${table} where organization_id = $1`, [owner.organizationId])).length;

/** Publishes an event with a delivery, so many days ago. */
async function publishDaysAgo(days: number): Promise<void> {
  const before = await count('webhook_deliveries');
  await createRole(service, owner, `Role of ${days} days ago`);
  await waitFor(async () => (await count('webhook_deliveries')) > before);
  await service.query(
    `update webhook_deliveries set created_at = created_at - $2 * interval '1 day'
     where organization_id = $1 and created_at > now() - interval '1 hour'`,
    [owner.organizationId, days],
  );
  await service.query(
    `update events set occurred_at = occurred_at - $2 * interval '1 day'
     where organization_id = $1 and occurred_at > now() - interval '1 hour'`,
    [owner.organizationId, days],
  );
}

describe('Retention', () => {
  it('should delete deliveries after 30 days and events a day later, but keep the newest event', async () => {
    for (const days of [40, 30.5, 29]) await publishDaysAgo(days);
    await runRetention(service);
    expect([await count('webhook_deliveries'), await count('events')]).toEqual([1, 2]);
    await service.query(`update events set occurred_at = now() - interval '40 days'`);
    await runRetention(service);
    const [newest] = await service.query<{ events: number; newest: boolean }>(
      `select count(*)::integer as events, bool_and(position = (select max(position) from events)) as newest from events`,
    );
    expect(newest).toEqual({ events: 1, newest: true });
    // Positions continue.
    await publishDaysAgo(0);
    expect(await service.query('select count(distinct position)::integer as count from events')).toEqual([
      { count: 2 },
    ]);
  });

  it('should delete events and deliveries of a deleted organization', async () => {
    await publishDaysAgo(1);
    await call(service.url, 'POST /organizations', { token: owner.token, body: { name: 'Another' } });
    await call(service.url, 'DELETE /organizations/current', { token: owner.token });
    await runRetention(service);
    expect([await count('webhooks'), await count('webhook_deliveries'), await count('events')]).toEqual([0, 0, 0]);
  });
});
