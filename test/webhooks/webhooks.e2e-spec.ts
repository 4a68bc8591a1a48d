import type { WebhookDeliveryListDto } from '../../src/webhooks/dto/delivery.dto.js';
import type { WebhookDto, WebhookListDto, WebhookSecretDto } from '../../src/webhooks/dto/webhook.dto.js';
import type { Permission } from '../../src/access/permissions.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

// Nothing is delivered.
const service = useTestApp({ config: { webhooks: { pollMilliseconds: 3_600_000 } } });
const url = 'https://hooks.example.com/services/secret-path';
let owner: Member;
let webhook: WebhookSecretDto;

beforeEach(async () => {
  owner = await createMember(service);
  webhook = (await create({ url })).body as WebhookSecretDto;
});

const send = (route: string, body?: unknown, token = owner.token) => call(service.url, route, { token, body });
const create = (body: unknown, token?: string) => send('POST /webhooks', body, token);
const get = async (id = webhook.id) => (await send(`GET /webhooks/${id}`)).body as WebhookDto;
const update = (body: unknown, token?: string) => send(`PATCH /webhooks/${webhook.id}`, body, token);
const test = async () => ((await send(`POST /webhooks/${webhook.id}/test`)).body as { id: string }).id;
const colleague = (...permissions: Permission[]) =>
  createMember(service, { organizationId: owner.organizationId, permissions });

describe('POST /webhooks', () => {
  it('should return 201 with id and secret, Location and no-store, and show the secret only then', async () => {
    const response = await create({ url: ` ${url} `, eventTypes: ['api_key.created'], enabled: false });
    expect(response.status).toBe(201);
    const { id, secret } = response.body as WebhookSecretDto;
    expect(response.body).toStrictEqual({ id, secret });
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(response.headers.get('location')).toBe(`/webhooks/${id}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const shown = await send(`GET /webhooks/${id}`);
    expect(shown.body).toMatchObject({
      id,
      url,
      eventTypes: ['api_key.created'],
      enabled: false,
      disabledReason: null,
    });
    const others = [shown, await send('GET /webhooks'), await send('GET /audit-events')];
    for (const { text } of others) expect(text).not.toContain(secret.slice(6));
  });

  it('should send all types by default', async () => {
    expect(await get()).toMatchObject({ eventTypes: null, enabled: true });
  });

  it('should record the host, but not the path, which may contain a credential', async () => {
    const events = await readAuditEvents(service, { targetId: webhook.id });
    expect(events).toMatchObject([
      {
        action: 'webhook.create',
        targetKind: 'webhook',
        targetName: 'hooks.example.com',
        after: { url: 'hooks.example.com', eventTypes: null, enabled: true },
      },
    ]);
  });

  it.each([
    ['url', {}],
    ['url', { url: 1 }],
    ['url', { url: 'example.com' }],
    ['url', { url: 'http://example.com' }],
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'https://user:password@example.com' }],
    ['url', { url: 'https://example.com/#fragment' }],
    ['url', { url: 'https://example.com:25' }],
    ['url', { url: 'https://127.0.0.1/' }],
    ['url', { url: 'https://10.1.2.3/' }],
    ['url', { url: 'https://169.254.169.254/latest/meta-data' }],
    ['url', { url: 'https://[::1]/' }],
    ['url', { url: 'https://[::ffff:10.0.0.1]/' }],
    ['url', { url: 'https://0x7f000001/' }],
    ['url', { url: `https://example.com/${'a'.repeat(2000)}` }],
    ['eventTypes', { url, eventTypes: [] }],
    ['eventTypes', { url, eventTypes: ['unknown'] }],
    ['eventTypes', { url, eventTypes: ['webhook.test'] }],
    ['eventTypes', { url, eventTypes: ['api_key.created', 'api_key.created'] }],
    ['eventTypes', { url, eventTypes: 'api_key.created' }],
    ['enabled', { url, enabled: 'yes' }],
    ['secret', { url, secret: 'whsec_' }],
  ])('should return 400 naming %s for %j', async (field, body) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('should return everything that is wrong with a URL', async () => {
    const { body } = await create({ url: 'http://user:password@10.0.0.1:25/#fragment' });
    expect((body as { errors: unknown }).errors).toEqual(
      [
        'must begin with https://.',
        'must not contain a user name or password.',
        'must not have a fragment.',
        'must use port 443, 80, or 1024 or higher.',
        'must have a public IP address, or one of WEBHOOK_ALLOWED_NETWORKS, which the operator sets.',
      ].map((problem) => ({ field: 'url', message: `url ${problem}` })),
    );
  });

  it('should return 409 when the organization has 1,000 webhooks', async () => {
    await service.query(
      `insert into webhooks (id, organization_id, url, secret)
       select gen_random_uuid(), $1, 'https://example.com', 'a' from generate_series(1, 999)`,
      [owner.organizationId],
    );
    expect((await create({ url })).status).toBe(409);
  });
});

describe('GET /webhooks', () => {
  it('should list only the webhooks of the organization, newest first, in pages', async () => {
    const stranger = await createMember(service);
    await create({ url }, stranger.token);
    const newer = (await create({ url })).body as WebhookSecretDto;
    const page = async (query = '') => (await send(`GET /webhooks${query}`)).body as WebhookListDto;
    expect(await page()).toMatchObject({ total: 2, webhooks: [{ id: newer.id }, { id: webhook.id }] });
    expect((await page('?perPage=1&page=2')).webhooks).toMatchObject([{ id: webhook.id }]);
    expect((await send('GET /webhooks?page=0')).status).toBe(400);
  });
});

describe('PATCH /webhooks/{id}', () => {
  it('should change URL, types and state, and record the event', async () => {
    const change = { url: 'https://example.org/hook', eventTypes: ['role.created'], enabled: false };
    const response = await update(change);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject(change);
    expect(await get()).toEqual(response.body);
    expect((await readAuditEvents(service, { targetId: webhook.id })).at(-1)).toMatchObject({
      action: 'webhook.update',
      targetName: 'example.org',
      before: { url: 'hooks.example.com', eventTypes: null, enabled: true },
      after: { url: 'example.org', eventTypes: ['role.created'], enabled: false },
    });
    expect((await update({ eventTypes: null })).body).toMatchObject({ eventTypes: null });
  });

  it('should record nothing if nothing changes', async () => {
    expect((await update({ url, enabled: true })).status).toBe(200);
    expect(await readAuditEvents(service, { targetId: webhook.id })).toHaveLength(1);
  });

  it.each([
    ['url', { url: 'http://example.com' }],
    ['url', { url: null }],
    ['eventTypes', { eventTypes: ['unknown'] }],
    ['enabled', { enabled: null }],
  ])('should return 400 naming %s for %j', async (field, body) => {
    expect(await update(body)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });
});

describe('POST /webhooks/{id}/rotate', () => {
  it('should return another secret with no-store, and until when the previous one signs', async () => {
    const response = await send(`POST /webhooks/${webhook.id}/rotate`, {});
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((response.body as WebhookSecretDto).secret).not.toBe(webhook.secret);
    const end = Date.parse((await get()).previousSecretExpiresAt ?? '');
    expect(Math.abs(end - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await send(`POST /webhooks/${webhook.id}/rotate`, { gracePeriodSeconds: 0 });
    expect(await get()).not.toHaveProperty('previousSecretExpiresAt');
  });

  it.each([-1, 604_801, 1.5, '60', null])('should return 400 for a grace period of %j', async (gracePeriodSeconds) => {
    const response = await send(`POST /webhooks/${webhook.id}/rotate`, { gracePeriodSeconds });
    expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'gracePeriodSeconds' }] } });
  });
});

describe('GET /webhooks/{id}/deliveries', () => {
  it('should list deliveries with their bodies, newest first, by status and in pages', async () => {
    const first = await test();
    const second = await test();
    const list = async (query = '') =>
      (await send(`GET /webhooks/${webhook.id}/deliveries${query}`)).body as WebhookDeliveryListDto;
    expect(await list()).toMatchObject({
      total: 2,
      deliveries: [
        { id: second, kind: 'test', status: 'waiting', attempts: [], event: { type: 'webhook.test' } },
        { id: first },
      ],
    });
    expect((await list('?perPage=1&page=2')).deliveries).toMatchObject([{ id: first }]);
    expect(await list('?status=failed')).toMatchObject({ total: 0, deliveries: [] });
    expect((await send(`GET /webhooks/${webhook.id}/deliveries?status=lost`)).status).toBe(400);
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('should delete the webhook', async () => {
    const response = await send(`DELETE /webhooks/${webhook.id}`);
    expect(response.status).toBe(200);
    expect((await send(`GET /webhooks/${webhook.id}`)).status).toBe(404);
    expect((await send(`DELETE /webhooks/${webhook.id}`)).status).toBe(404);
  });
});

describe('A deleted organization', () => {
  it('should have no webhooks', async () => {
    await send('POST /organizations', { name: 'Another' });
    expect((await send('DELETE /organizations/current')).status).toBe(200);
    expect(await service.query('select id from webhooks where id = $1', [webhook.id])).toEqual([]);
  });
});

const routes: [route: string, permission: Permission, body?: object][] = [
  ['GET /webhooks/:id', 'get-webhooks'],
  ['GET /webhooks/:id/deliveries', 'get-webhooks'],
  ['PATCH /webhooks/:id', 'update-webhooks', { enabled: false }],
  ['POST /webhooks/:id/rotate', 'update-webhooks', {}],
  ['POST /webhooks/:id/test', 'update-webhooks'],
  ['POST /webhooks/:id/deliveries/:deliveryId/redeliver', 'update-webhooks'],
  ['DELETE /webhooks/:id', 'delete-webhooks'],
];

describe.each(routes)('%s', (route, permission, body) => {
  const at = (id: string, deliveryId = id) => route.replace(':id', id).replace(':deliveryId', deliveryId);

  it('should return 404 for unknown ids and for webhooks of another organization', async () => {
    const stranger = await createMember(service);
    const deliveryId = await test();
    for (const id of unknownIds) expect((await send(at(id), body)).status).toBe(404);
    expect((await send(at(webhook.id, deliveryId), body, stranger.token)).status).toBe(404);
    expect(await get()).toMatchObject({ enabled: true });
  });

  it(`should return 403 without ${permission}`, async () => {
    const { token } = await colleague('create-webhooks');
    expect((await send(at(webhook.id), body, token)).status).toBe(403);
  });
});

describe('POST /webhooks/{id}/deliveries/{deliveryId}/redeliver', () => {
  it('should return 404 for a delivery of another webhook', async () => {
    const deliveryId = await test();
    const other = (await create({ url })).body as WebhookSecretDto;
    expect((await send(`POST /webhooks/${other.id}/deliveries/${deliveryId}/redeliver`)).status).toBe(404);
  });
});

describe('GET and POST /webhooks', () => {
  it('should return 403 without the permission', async () => {
    const { token } = await colleague('get-roles');
    expect((await send('GET /webhooks', undefined, token)).status).toBe(403);
    expect((await create({ url }, token)).status).toBe(403);
  });
});
