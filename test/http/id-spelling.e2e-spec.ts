import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeJwt } from 'jose';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import type { SessionListDto } from '../../src/auth/sessions/dto/session.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { signedApp } from '../factories/audit-proofs.js';
import { addMembership, createMember, type Member, openSession } from '../factories/organizations.js';
import { createServiceAccount } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp(signedApp());
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const send = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(service.url, route, { token: member.token, body, headers });
const idOf = (created: { body: unknown }) => (created.body as { id: string }).id;

/** Creates what the ids in the paths of a resource belong to. */
const resources: Record<string, () => Promise<string>> = {
  '/api-keys': () => Promise.resolve(apiKey.id),
  '/audit-events': async () => {
    const [event] = await service.query<{ id: string }>('select id from audit_events where target_id = $1', [
      apiKey.id,
    ]);
    return event?.id ?? '';
  },
  '/auth/sessions': async () => (await openSession(service, member)).token && newestOtherSession(),
  '/invitations': async () => {
    const invited = await send('POST /members', { email: `${randomUUID()}@example.com`, roleId: member.roleId });
    return (invited.body as CreatedInvitationDto).id;
  },
  '/members': async () => (await createMember(service, { organizationId: member.organizationId })).membershipId,
  '/people': async () => (await createMember(service, { organizationId: member.organizationId })).userId,
  '/roles': async () => idOf(await send('POST /roles', { name: 'A role', permissions: [] })),
  '/service-accounts': async () => (await createServiceAccount(service, member)).id,
  '/webhooks': async () => idOf(await send('POST /webhooks', { url: 'https://example.com' })),
};

async function newestOtherSession(): Promise<string> {
  const { sessions } = (await send('GET /auth/sessions')).body as SessionListDto;
  return sessions.find(({ id }) => id !== member.sessionId)?.id ?? '';
}

const bodies: Record<string, object> = {
  'PATCH /members/{id}': {},
  'POST /api-keys/{id}/rotate': { gracePeriodSeconds: 60 },
  'POST /service-accounts/{id}/rotate': { gracePeriodSeconds: 60 },
  'POST /webhooks/{id}/rotate': { gracePeriodSeconds: 60 },
  'PATCH /webhooks/{id}': { enabled: false },
};
/** What happens later. */
const accepted = /\/(test|redeliver)$/;
/** They return 404 unless a secret was rotated before. */
const afterRotation = /\/previous-secret$/;

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
const routes = Object.entries(document.paths)
  .filter(([path]) => path.includes('{id}'))
  .flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((key) => ['get', 'post', 'patch', 'put', 'delete'].includes(key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

describe('An id in upper case', () => {
  it.each(routes)('should be the same id in %s', async (route) => {
    const [, template = ''] = route.split(' ');
    const prefix = template.slice(0, template.indexOf('/{id}'));
    const id = await resources[prefix]?.();
    expect(id).toBeDefined();
    const upper = String(id).toUpperCase();
    if (afterRotation.test(route)) await send(`POST ${prefix}/${upper}/rotate`, { gracePeriodSeconds: 60 });
    const body = bodies[route] ?? (route.startsWith('PATCH') ? { name: 'Renamed' } : undefined);
    const changed = route === 'PATCH /members/{id}' ? { roleId: member.roleId.toUpperCase() } : body;
    const deliveryId = route.includes('{deliveryId}') ? idOf(await send(`POST ${prefix}/${upper}/test`)) : '';
    const path = route.replace('{id}', upper).replace('{deliveryId}', deliveryId.toUpperCase());
    const response = await send(path, changed);
    expect([response.status, response.text]).toEqual([accepted.test(route) ? 202 : 200, response.text]);
    if (!route.startsWith('GET')) {
      const [event] = await readAuditEvents(service, { targetId: String(id) });
      expect(event).toBeDefined();
    }
  });

  it('should rotate an API key once with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const rotate = (id: string) => send(`POST /api-keys/${id}/rotate`, { gracePeriodSeconds: 60 }, headers);
    expect((await rotate(apiKey.id)).status).toBe(200);
    const repeated = await rotate(apiKey.id.toUpperCase());
    expect(repeated.status).toBe(409);
    expect(repeated.body).toMatchObject({ apiKeyId: apiKey.id });
    expect((await call(service.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(200);
  });

  it('should match the organization in the access token after a switch', async () => {
    const { organizationId } = await createMember(service);
    await addMembership(service, { userId: member.userId, organizationId });
    const switched = await send('POST /auth/switch-organization', { organizationId: organizationId.toUpperCase() });
    expect(switched.status).toBe(200);
    expect(decodeJwt((switched.body as { accessToken: string }).accessToken)).toMatchObject({ org: organizationId });
  });
});
