import { readAuditEvents } from '../factories/audit-events.js';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import type { WebhookListDto } from '../../src/webhooks/dto/webhook.dto.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { respondWith, stayingSilent, useReceiver } from './receiver.js';
import { createRole, createWebhook, listDeliveries, webhookConfig } from './webhook-app.js';

const retrySeconds = [0.05, 0.1, 0.15];
const service = useTestApp({ config: webhookConfig({ retrySeconds, timeoutSeconds: 0.3 }) });
const startApp = useAppStarter();
const receiver = useReceiver();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const names = () => receiver.requests.map(({ event }) => (event.data['role'] as { name: string }).name);
const deliveriesOf = (id: string, app: Pick<TestApp, 'url'> = service) => listDeliveries(app, owner, id);
const webhookOf = async (id: string) => (await call(service.url, `GET /webhooks/${id}`, { token: owner.token })).body;
/** Waits until something was delivered, and nothing waits. */
const untilIdle = (id: string) =>
  waitFor(async () => {
    const deliveries = await deliveriesOf(id);
    return deliveries.length > 0 && deliveries.every(({ status }) => status !== 'waiting');
  });

describe('An event', () => {
  it('should be sent to the webhooks of its organization that chose its type', async () => {
    const stranger = await createMember(service);
    await createWebhook(service, owner, { url: receiver.url('/all') });
    await createWebhook(service, owner, { url: receiver.url('/roles'), eventTypes: ['role.created'] });
    await createWebhook(service, owner, { url: receiver.url('/keys'), eventTypes: ['api_key.created'] });
    await createWebhook(service, owner, { url: receiver.url('/disabled'), enabled: false });
    await createWebhook(service, stranger, { url: receiver.url('/stranger') });
    await createRole(service, owner, 'Reviewer');
    await waitFor(() => receiver.requests.length >= 2);
    await createRole(service, stranger, 'Stranger');
    await waitFor(() => receiver.requests.length >= 3);
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/all', '/roles', '/stranger']);
    const [request] = receiver.requests;
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'keycard' });
    expect(request?.event).toEqual({
      type: 'role.created',
      timestamp: expect.stringMatching(/^2\d{3}-.*Z$/) as string,
      data: {
        organizationId: owner.organizationId,
        actor: { kind: 'user', id: owner.userId, name: null, email: `${owner.userId}@example.com` },
        requestId: expect.any(String) as string,
        role: { id: expect.any(String) as string, name: 'Reviewer' },
      },
    });
  });

  it('should arrive in the order of the changes, even if one of them has to be retried', async () => {
    receiver.respond = (_request, response) => void response.writeHead(receiver.requests.length < 3 ? 500 : 200).end();
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    const expected = Array.from({ length: 30 }, (_, index) => `Role ${index}`);
    for (const name of expected) await createRole(service, owner, name);
    await waitFor(() => receiver.requests.length === 32);
    await untilIdle(id);
    expect(names()).toEqual(['Role 0', 'Role 0', ...expected]);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(30);
    expect(ids[0]).toBe(ids[2]);
    const [, , third] = receiver.requests;
    expect(third?.body).toBe(receiver.requests[0]?.body);
  });

  it('should not be sent if its webhook is deleted or disabled before', async () => {
    receiver.respond = respondWith(500);
    const deleted = await createWebhook(service, owner, { url: receiver.url('/deleted') });
    await createRole(service, owner, 'First');
    await waitFor(() => receiver.requests.length > 0);
    await call(service.url, `DELETE /webhooks/${deleted.id}`, { token: owner.token });
    receiver.respond = respondWith(204);
    await createWebhook(service, owner, { url: receiver.url('/kept') });
    await createRole(service, owner, 'Second');
    await waitFor(() => receiver.typesAt('/kept').length > 0);
    const late = receiver.requests.filter(({ path, event }) => {
      return path === '/deleted' && (event.data['role'] as { name: string }).name === 'Second';
    });
    expect(late).toEqual([]);
  });
});

describe('A receiver', () => {
  it.each([
    ['responds 500', respondWith(500, {}, 'broken'), { status: 500, error: null, response: 'broken' }],
    ['responds 404', respondWith(404), { status: 404, error: null, response: '' }],
    [
      'redirects, which is not followed',
      respondWith(302, { location: '/elsewhere' }),
      { status: 302, error: null, response: '' },
    ],
    ['is silent', stayingSilent, { status: null, error: 'No response within 0.3 s.', response: null }],
  ])('that %s should get the event again until its webhook is disabled', async (_title, respond, attempt) => {
    receiver.respond = respond;
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    await createRole(service, owner, 'Reviewer');
    await untilIdle(id);
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ kind: 'event', status: 'failed', nextAttemptAt: null });
    expect(delivery?.attempts).toHaveLength(retrySeconds.length + 1);
    expect(delivery?.attempts[0]).toMatchObject(attempt);
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/']));
    expect(await webhookOf(id)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const events = await readAuditEvents(service, { targetId: id });
    expect(events.at(-1)).toMatchObject({
      action: 'webhook.disable',
      actorKind: 'system',
      targetName: `127.0.0.1:${receiver.port}`,
      after: { reason: 'failing' },
    });
  });

  it('that fails should be reported with the latest attempt only to its organization, until an attempt succeeds', async () => {
    const stranger = await createMember(service);
    receiver.respond = respondWith(503, { 'retry-after': '3600' }, 'down');
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    const { id: healthy } = await createWebhook(service, owner, {
      url: receiver.url(),
      eventTypes: ['api_key.created'],
    });
    const { id: foreign } = await createWebhook(service, stranger, { url: receiver.url('/stranger') });
    await createRole(service, owner, 'Reviewer');
    const attempt = expect.objectContaining({ status: 503, error: null, response: 'down' }) as unknown;
    await waitFor(async () => (await deliveriesOf(id))[0]?.attempts.length === 1);
    const listedBy = async ({ token }: Member) =>
      (await call(service.url, 'GET /webhooks', { token })).body as WebhookListDto;
    expect(await webhookOf(id)).toMatchObject({ enabled: true, failedAttempt: attempt });
    expect((await listedBy(owner)).webhooks).toMatchObject([
      { id: healthy, failedAttempt: null },
      { id, failedAttempt: attempt },
    ]);
    expect((await listedBy(stranger)).webhooks).toMatchObject([{ id: foreign, failedAttempt: null }]);
    const { body } = await call(service.url, 'GET /overview', { token: owner.token });
    expect((body as OverviewDto).attention).toContainEqual(
      expect.objectContaining({ kind: 'failing-webhooks', count: 1, first: [expect.objectContaining({ id })] }),
    );
    const disable = { token: owner.token, body: { enabled: false } };
    expect((await call(service.url, `PATCH /webhooks/${id}`, disable)).body).toMatchObject({ failedAttempt: null });
    receiver.respond = respondWith(204);
    await call(service.url, `PATCH /webhooks/${id}`, { token: owner.token, body: { enabled: true } });
    await untilIdle(id);
    expect(await webhookOf(id)).toMatchObject({ enabled: true, failedAttempt: null });
  });

  it('that responds 410 should get nothing more', async () => {
    receiver.respond = respondWith(410);
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    await createRole(service, owner, 'Reviewer');
    await untilIdle(id);
    expect(receiver.requests).toHaveLength(1);
    expect(await webhookOf(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const [event] = await service.query<{ data: object }>(
      `select data from events where organization_id = $1 and type = 'webhook.disabled'`,
      [owner.organizationId],
    );
    expect(event?.data).toMatchObject({ webhook: { id, host: `127.0.0.1:${receiver.port}` }, reason: 'gone' });
  });

  it.each([429, 503])('that responds %d with Retry-After should not be asked before', async (status) => {
    receiver.respond = respondWith(status, { 'retry-after': '3600' });
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    await createRole(service, owner, 'Reviewer');
    await waitFor(async () => (await deliveriesOf(id))[0]?.attempts.length === 1);
    const [delivery] = await deliveriesOf(id);
    const wait = Date.parse(delivery?.nextAttemptAt ?? '') - Date.parse(delivery?.attempts[0]?.at ?? '');
    expect(wait).toBeGreaterThanOrEqual(3600_000);
    expect(wait).toBeLessThan(3660_000);
    expect(receiver.requests).toHaveLength(1);
  });

  it('that sends a large or endless response should only be read at its start', async () => {
    const large = 'x'.repeat(100_000);
    receiver.respond = (request, response) => {
      response.writeHead(200);
      if (request.path === '/large') response.end(large);
      else response.write('the start');
    };
    const first = await createWebhook(service, owner, { url: receiver.url('/large') });
    const second = await createWebhook(service, owner, { url: receiver.url('/endless') });
    await createRole(service, owner, 'Reviewer');
    await untilIdle(first.id);
    await untilIdle(second.id);
    expect((await deliveriesOf(first.id))[0]).toMatchObject({
      status: 'succeeded',
      attempts: [{ status: 200, response: large.slice(0, 1024) }],
    });
    expect((await deliveriesOf(second.id))[0]).toMatchObject({
      status: 'succeeded',
      attempts: [{ status: 200, response: 'the start' }],
    });
  });

  it('that works again should get what waits when its webhook is enabled', async () => {
    receiver.respond = respondWith(503, { 'retry-after': '3600' });
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    for (const name of ['First', 'Second', 'Third']) await createRole(service, owner, name);
    await waitFor(async () => {
      const deliveries = await deliveriesOf(id);
      return deliveries.length === 3 && deliveries.at(-1)?.attempts.length === 1;
    });
    const enable = (enabled: boolean) =>
      call(service.url, `PATCH /webhooks/${id}`, { token: owner.token, body: { enabled } });
    await enable(false);
    receiver.respond = respondWith(204);
    await enable(true);
    await untilIdle(id);
    expect(names()).toEqual(['First', 'First', 'Second', 'Third']);
  });
});

describe('A redelivery', () => {
  it('should send the same event once more, with the same id', async () => {
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    await createRole(service, owner, 'Reviewer');
    await untilIdle(id);
    const [delivery] = await deliveriesOf(id);
    const route = `POST /webhooks/${id}/deliveries/${delivery?.id}/redeliver`;
    const response = await call(service.url, route, { token: owner.token });
    expect(response.status).toBe(202);
    await untilIdle(id);
    const [first, second, ...others] = receiver.requests;
    expect(others).toEqual([]);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(await deliveriesOf(id)).toMatchObject([
      { ...(response.body as object), kind: 'redelivery', status: 'succeeded', eventId: delivery?.eventId },
      { id: delivery?.id, kind: 'event' },
    ]);
  });

  it('should be attempted once, and disable nothing', async () => {
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    await createRole(service, owner, 'Reviewer');
    await untilIdle(id);
    receiver.respond = respondWith(410);
    const [delivery] = await deliveriesOf(id);
    await call(service.url, `POST /webhooks/${id}/deliveries/${delivery?.id}/redeliver`, { token: owner.token });
    await untilIdle(id);
    expect((await deliveriesOf(id))[0]).toMatchObject({ kind: 'redelivery', status: 'failed', nextAttemptAt: null });
    expect(await webhookOf(id)).toMatchObject({ enabled: true });
  });

  it('of an event that waits should retry the webhook immediately, in order', async () => {
    receiver.respond = respondWith(503, { 'retry-after': '3600' });
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    await createRole(service, owner, 'First');
    await createRole(service, owner, 'Second');
    await waitFor(async () => (await deliveriesOf(id)).at(-1)?.attempts.length === 1);
    receiver.respond = respondWith(204);
    const [second] = await deliveriesOf(id);
    const response = await call(service.url, `POST /webhooks/${id}/deliveries/${second?.id}/redeliver`, {
      token: owner.token,
    });
    expect(response.body).toEqual({ id: second?.id });
    await untilIdle(id);
    expect(names()).toEqual(['First', 'First', 'Second']);
  });
});

describe('A test', () => {
  it('should be sent to a disabled webhook too, and to no other', async () => {
    await createWebhook(service, owner, { url: receiver.url('/other') });
    const { id } = await createWebhook(service, owner, {
      url: receiver.url('/tested'),
      enabled: false,
      eventTypes: ['role.created'],
    });
    const response = await call(service.url, `POST /webhooks/${id}/test`, { token: owner.token });
    expect(response.status).toBe(202);
    await untilIdle(id);
    await createRole(service, owner, 'Reviewer');
    await waitFor(() => receiver.typesAt('/other').length > 0);
    expect(receiver.typesAt('/other')).toEqual(['role.created']);
    expect(receiver.typesAt('/tested')).toEqual(['webhook.test']);
    expect(await deliveriesOf(id)).toMatchObject([{ kind: 'test', status: 'succeeded' }]);
  });
});

describe('A replica that stops', () => {
  it('should leave its webhooks to another one, which delivers immediately', async () => {
    const first = await startApp({ config: webhookConfig() });
    owner = await createMember(first);
    receiver.respond = stayingSilent;
    const { id } = await createWebhook(first, owner, { url: receiver.url() });
    await createRole(first, owner, 'Reviewer');
    await waitFor(() => receiver.requests.length === 1);
    const second = await startApp({ config: webhookConfig(), database: first.database });
    receiver.respond = respondWith(204);
    await first.app.close();
    await waitFor(() => receiver.requests.length === 2);
    await waitFor(async () => (await deliveriesOf(id, second))[0]?.status === 'succeeded');
    const [delivery] = await deliveriesOf(id, second);
    expect(delivery?.attempts).toHaveLength(1);
  });
});
