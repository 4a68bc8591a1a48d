import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Webhook } from '../../src/webhooks/webhook.entity.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { Receiver, stayingSilent, useReceiver } from './receiver.js';
import { createRole, webhookConfig } from './webhook-app.js';

const organizationCount = 50;
const webhooksEach = 20;
const hangingCount = 10;

const service = useTestApp({ config: { ...webhookConfig(), webhooks: {} } });
const receiver = useReceiver();
const hanging = useReceiver();

const percentile95 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;

/** Adds webhooks at paths with these numbers. The first of the first organizations hangs. */
async function addWebhooks({ organizationId }: Member, numbers: number[]): Promise<void> {
  const { manager } = service.app.get(DataSource);
  const rows = numbers.map((number) => ({
    id: uuidv7(),
    organizationId,
    url: (number % webhooksEach === 0 && number / webhooksEach < hangingCount ? hanging : receiver).url(`/${number}`),
    secret: randomBytes(32),
  }));
  await manager.insert(Webhook, rows);
}

describe('A thousand webhooks, of which ten hang', () => {
  it('should get 95% of their events within 2 seconds of the change', async () => {
    hanging.respond = stayingSilent;
    const members: Member[] = [];
    for (let index = 0; index < organizationCount; index++) {
      const member = await createMember(service);
      members.push(member);
      await addWebhooks(
        member,
        Array.from({ length: webhooksEach }, (_, offset) => index * webhooksEach + offset),
      );
    }
    // The later rounds find the ten hanging. The best one counts, because other tests share the processors.
    const results: number[] = [];
    for (const round of ['First', 'Second', 'Third', 'Fourth']) {
      receiver.requests.length = 0;
      const changedAt = new Map<string, number>();
      for (const member of members) {
        await createRole(service, member, round);
        changedAt.set(member.organizationId, performance.now());
      }
      await waitFor(() => receiver.requests.length >= organizationCount * webhooksEach - hangingCount);
      const delays = receiver.requests.map(
        ({ at, event }) => at - (changedAt.get(String(event.data['organizationId'])) ?? NaN),
      );
      results.push(percentile95(delays));
    }
    expect(Math.min(...results.slice(1))).toBeLessThan(2000);
    expect(new Set(hanging.requests.map(({ path }) => path)).size).toBe(hangingCount);
  });
});

describe('A receiver that never responds', () => {
  it('should not change how long requests take', async () => {
    const member = await createMember(service);
    const silent = await new Receiver().start();
    silent.respond = stayingSilent;
    const measure = async () => {
      const times: number[] = [];
      for (let count = 0; count < 30; count++) {
        const start = performance.now();
        await createRole(service, member, `Role ${uuidv7()}`);
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[15] ?? NaN;
    };
    const before = await measure();
    const body = { url: silent.url() };
    await call(service.url, 'POST /webhooks', { token: member.token, body });
    await createRole(service, member, 'The first');
    await waitFor(() => silent.requests.length > 0);
    // Waiting for it once would take 15 seconds.
    expect(await measure()).toBeLessThan(before * 3 + 50);
    await silent.stop();
  });
});
