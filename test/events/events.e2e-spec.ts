import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { eventTypes } from '../../src/events/event-types.js';
import { publish } from '../../src/events/publish.js';
import type { EventTypeListDto } from '../../src/events/dto/event-type.dto.js';
import { hashPassword } from '../../src/auth/password.js';
import { createApiKey } from '../factories/api-keys.js';
import { withoutAudit } from '../factories/audit-events.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { runAdmin } from '../setup/run-admin.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { readEvents } from './read-events.js';

const [service, replica] = useReplicas();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const send = (route: string, body?: unknown, token = owner.token) => call(service.url, route, { token, body });
const events = (organizationId = owner.organizationId) => readEvents(service, organizationId);
const types = async () => (await events()).map(({ type }) => type);
const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;

describe('GET /event-types', () => {
  it('should list all types with examples of their bodies, for service accounts too', async () => {
    const account = await createServiceAccount(service, owner);
    const response = await send('GET /event-types', undefined, await tokenOf(service, account));
    expect(response.status).toBe(200);
    const { eventTypes: listed } = response.body as EventTypeListDto;
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(eventTypes));
    expect(listed.filter(({ choosable }) => !choosable).map(({ name }) => name)).toEqual(['webhook.test']);
    for (const { name, example } of listed) expect(example).toMatchObject({ type: name, data: {} });
  });
});

describe('A change', () => {
  it('should have its event exactly if it is committed', async () => {
    const role = { name: 'Reviewer', permissions: [] };
    expect((await withoutAudit(service, () => send('POST /roles', role))).status).toBe(500);
    expect(await events()).toEqual([]);
    const { manager } = service.app.get(DataSource);
    const failed = manager.transaction(async (transaction) => {
      await publish(transaction, { organizationId: owner.organizationId, type: 'role.created', data: {} });
      throw new Error('The change failed.');
    });
    await expect(failed).rejects.toThrow('The change failed.');
    expect(await events()).toEqual([]);
    expect((await send('POST /roles', role)).status).toBe(201);
    expect(await types()).toEqual(['role.created']);
  });

  it("should not be made if its event can't be published", async () => {
    await service.query('alter table events rename to events_away');
    const response = await send('POST /roles', { name: 'Reviewer', permissions: [] });
    await service.query('alter table events_away rename to events');
    expect(response.status).toBe(500);
    expect(
      await service.query(`select from roles where organization_id = $1 and name = 'Reviewer'`, [owner.organizationId]),
    ).toEqual([]);
  });

  it('should be published with ids, names, actor and request id, and without a secret', async () => {
    const headers = { 'x-request-id': 'request-1' };
    const response = await call(service.url, 'POST /api-keys', {
      token: owner.token,
      headers,
      body: { name: 'Search indexer' },
    });
    const { key } = response.body as { key: string };
    const id = response.headers.get('location')?.split('/').at(-1);
    const [event] = await events();
    expect(event).toEqual({
      type: 'api_key.created',
      data: {
        organizationId: owner.organizationId,
        actor: { kind: 'user', id: owner.userId, name: null, email: `${owner.userId}@example.com` },
        requestId: 'request-1',
        apiKey: { id, name: 'Search indexer', hint: key.slice(0, 8) },
      },
    });
    expect(JSON.stringify(event)).not.toContain(key);
  });

  it('of a service account should name it as the actor', async () => {
    const account = await createServiceAccount(service, owner, ['create-roles']);
    await send('POST /roles', { name: 'Reviewer', permissions: [] }, await tokenOf(service, account));
    const created = (await events()).find(({ type }) => type === 'role.created');
    expect(created?.data['actor']).toEqual({
      kind: 'service-account',
      id: account.id,
      name: account.name,
      email: null,
    });
  });

  it('of a key should be an event for each way to change it', async () => {
    const { id } = await createApiKey(service, owner);
    await send(`PATCH /api-keys/${id}`, { enabled: false });
    await send(`PATCH /api-keys/${id}`, { enabled: true, name: 'Renamed' });
    await send(`PATCH /api-keys/${id}`, { note: 'A note' });
    await send(`POST /api-keys/${id}/rotate`, { gracePeriodSeconds: 60 });
    await send(`DELETE /api-keys/${id}`);
    expect(await events()).toMatchObject([
      { type: 'api_key.created' },
      { type: 'api_key.disabled' },
      { type: 'api_key.enabled' },
      { type: 'api_key.updated', data: { changedFields: ['name'] } },
      { type: 'api_key.updated', data: { changedFields: ['note'] } },
      { type: 'api_key.rotated', data: { gracePeriodSeconds: 60 } },
      { type: 'api_key.deleted', data: { apiKey: { id, name: 'Renamed' } } },
    ]);
  });

  it('of roles, service accounts and the organization should be an event', async () => {
    const roleId = idOf(await send('POST /roles', { name: 'Reviewer', permissions: [] }));
    await send(`PATCH /roles/${roleId}`, { name: 'Auditor' });
    const accountId = idOf(await send('POST /service-accounts', { name: 'Pipeline', roleId }));
    await send(`PATCH /service-accounts/${accountId}`, { name: 'Deploys' });
    await send(`POST /service-accounts/${accountId}/rotate`, { gracePeriodSeconds: 0 });
    await send(`DELETE /service-accounts/${accountId}`);
    await send(`DELETE /roles/${roleId}`);
    await send('PATCH /organizations/current', { name: 'Research' });
    expect(await events()).toMatchObject([
      { type: 'role.created', data: { role: { id: roleId, name: 'Reviewer' } } },
      { type: 'role.updated', data: { role: { name: 'Auditor' }, changedFields: ['name'] } },
      { type: 'service_account.created', data: { serviceAccount: { id: accountId, name: 'Pipeline' } } },
      { type: 'service_account.updated', data: { changedFields: ['name'] } },
      { type: 'service_account.rotated', data: { gracePeriodSeconds: 0 } },
      { type: 'service_account.deleted' },
      { type: 'role.deleted' },
      { type: 'organization.updated', data: { organization: { name: 'Research' }, changedFields: ['name'] } },
    ]);
  });

  it('of members should say whether they were invited, joined, left or were removed', async () => {
    const email = `${uuidv7()}@example.com`;
    const invited = await send('POST /members', { email, roleId: owner.roleId });
    const token = new URL((invited.body as { link: string }).link).hash.replace('#token=', '');
    await call(service.url, 'POST /auth/accept-invitation', {
      body: { token, name: 'Ada', password: 'correct horse battery staple' },
    });
    const [joined] = await service.query<{ id: string }>(
      'select memberships.id from memberships join users on users.id = user_id where email = $1',
      [email],
    );
    const roleId = idOf(await send('POST /roles', { name: 'Reviewer', permissions: [] }));
    await send(`PATCH /members/${joined?.id}`, { roleId });
    await send(`DELETE /members/${joined?.id}`);
    const leaving = await createMember(service, { organizationId: owner.organizationId, permissions: [] });
    await send('DELETE /members/me', undefined, leaving.token);
    const member = { id: joined?.id, email };
    const ownerRole = `Role ${owner.roleId}`;
    expect(await events()).toMatchObject([
      { type: 'member.invited', data: { invitation: { email }, role: ownerRole } },
      { type: 'member.joined', data: { member, role: ownerRole } },
      { type: 'role.created' },
      { type: 'member.role_changed', data: { member, role: 'Reviewer', previousRole: ownerRole } },
      { type: 'member.removed', data: { member, role: 'Reviewer' } },
      { type: 'member.left', data: { member: { id: leaving.membershipId } } },
    ]);
  });

  it('by the operator should name the operator', async () => {
    await runAdmin(service.database, 'add-owner', `${owner.userId}@example.com`, owner.organizationId);
    const [event] = await events();
    expect(event).toMatchObject({
      type: 'member.role_changed',
      data: { actor: { kind: 'operator', id: null, email: null }, role: expect.any(String) as string },
    });
  });
});

describe('A blocked sign-in', () => {
  it('should be published once, to the organization of the account', async () => {
    const email = `${uuidv7()}@example.com`;
    const { organizationId } = await createMember(service, { email, passwordHash: await hashPassword('x'.repeat(12)) });
    const signIn = () => call(service.url, 'POST /auth/sign-in', { body: { email, password: 'wrong password' } });
    const statuses: number[] = [];
    for (let count = 0; count < 13; count++) statuses.push((await signIn()).status);
    expect(statuses.slice(9)).toEqual([401, 429, 429, 429]);
    expect(await events(organizationId)).toEqual([
      {
        type: 'sign_in.blocked',
        data: expect.objectContaining({ user: { id: expect.any(String) as string, email } }) as object,
      },
    ]);
  });
});

describe('A limit', () => {
  it('should be published when it reaches a threshold, and when it is exhausted', async () => {
    const { id } = await createApiKey(service, owner, 'Search indexer');
    for (const percent of [80, 100]) {
      await service.query(
        `insert into limit_notices (organization_id, owner_id, metric, per, models, percent, charged, max, period_start)
         values ($1, $2, 'cost', 'month', null, $3, 20000000000, 25000000000, '2026-11-01T00:00:00Z')`,
        [owner.organizationId, id, percent],
      );
      await waitFor(async () => (await events()).some(({ data }) => data['percent'] === percent));
    }
    const published = (await events()).slice(1);
    expect(published.map(({ type }) => type)).toEqual([
      'limit.threshold_reached',
      'limit.threshold_reached',
      'limit.exhausted',
    ]);
    expect(published[0]?.data).toMatchObject({
      actor: { kind: 'system' },
      requestId: null,
      apiKey: { id, name: 'Search indexer' },
      metric: 'cost',
      per: 'month',
      percent: 80,
      charged: '20',
      max: '25',
    });
  });
});

describe('The order of events', () => {
  it('should follow the commits, even of transactions that overlap', async () => {
    const { manager } = service.app.get(DataSource);
    const { organizationId } = owner;
    const add = (label: string) => (transaction: typeof manager) =>
      publish(transaction, { organizationId, type: 'role.created', data: { label } });
    let commitFirst: () => void = () => undefined;
    const first = manager.transaction(async (transaction) => {
      await add('began first')(transaction);
      await new Promise<void>((resolve) => (commitFirst = resolve));
    });
    await manager.transaction(add('committed first'));
    await waitFor(async () => (await positions()).length === 1);
    commitFirst();
    await first;
    await waitFor(async () => (await positions()).length === 2);
    expect(await positions()).toEqual(['committed first', 'began first']);
  });

  it('should have no gap and no event twice when many replicas publish at the same time', async () => {
    const { organizationId } = owner;
    const changes = Array.from({ length: 100 }, (_, index) =>
      call((index % 2 === 0 ? service : replica).url, 'POST /roles', {
        token: owner.token,
        body: { name: `Role ${index}`, permissions: [] },
      }),
    );
    await Promise.all(changes);
    await waitFor(async () => (await positions('name')).length === 100);
    const [found] = await service.query<{ count: number }>(
      'select count(distinct position)::integer as count from events where organization_id = $1',
      [organizationId],
    );
    expect(found?.count).toBe(100);
  });

  const positions = async (label = 'label') =>
    (
      await service.query<{ label: string }>(
        `select coalesce(data ->> $2, data -> 'role' ->> 'name') as label from events
         where organization_id = $1 and position is not null order by position`,
        [owner.organizationId, label],
      )
    ).map((row) => row.label);
});

it('should let a member of two organizations see no event of the other', async () => {
  const other = await createMember(service);
  await openSession(service, other);
  await send('POST /roles', { name: 'Reviewer', permissions: [] });
  expect(await events(other.organizationId)).toEqual([]);
});
