import { generateApiKey, hintOfApiKey } from '../../src/api-keys/api-key.token.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { maxPlaces } from '../../src/leaked-keys/leaked-keys.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { withoutAudit } from '../factories/audit-events.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';
import { createMemberOn, place, readKey, readLeakEvents, report, rotate, statusOf } from './reports.js';

const [service, replica] = useReplicas();

// Each file has its own database, but one IP address may not report without end.
afterEach(() => service.query('delete from rate_limits'));

describe('POST /leaked-keys', () => {
  it('should label each report, in order, without a credential', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const unknown = generateApiKey();
    const body = [{ token: unknown, ...place, type: 'mycompany_api_token' }, { token: key }, { token: 'ghp_x' }];
    const response = await call(service.url, 'POST /leaked-keys', { body });
    expect(response.status).toBe(200);
    expect(response.body).toEqual([
      { token_raw: unknown, token_type: 'mycompany_api_token', label: 'false_positive' },
      { token_raw: key, token_type: 'keycard_api_key', label: 'true_positive' },
      { token_raw: 'ghp_x', token_type: 'keycard_api_key', label: 'false_positive' },
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('should respond the same about keys of any organization, and with nothing else', async () => {
    const members = [await createMemberOn(service, 'notify'), await createMemberOn(service, 'delete')];
    const keys = await Promise.all(members.map((member) => createApiKey(service, member)));
    for (const { key } of keys) {
      const { body } = await call(service.url, 'POST /leaked-keys', { body: [{ token: key }] });
      expect(body).toEqual([{ token_raw: key, token_type: 'keycard_api_key', label: 'true_positive' }]);
    }
  });

  it('should ignore credentials and other routes with the same path', async () => {
    const { token } = await createMember(service);
    expect((await call(service.url, 'POST /leaked-keys', { token, body: [] })).body).toEqual([]);
    expect((await call(service.url, 'GET /leaked-keys', { token })).status).toBe(404);
    expect((await call(service.url, 'POST /leaked-keys/1', { token, body: [] })).status).toBe(404);
  });
});

describe('A leaked key', () => {
  it('should be disabled by default, for the next request on every replica', async () => {
    const member = await createMember(service);
    const { id, key } = await createApiKey(service, member);
    expect(await Promise.all([service, replica].map((app) => statusOf(app, key)))).toEqual([200, 200]);
    expect(await report(service, { token: key, ...place })).toEqual(['true_positive']);
    expect(await Promise.all([service, replica, service, replica].map((app) => statusOf(app, key)))).toEqual([
      403, 403, 403, 403,
    ]);
    const { enabled, leak, leakedAt } = await readKey(service, member, id);
    expect(enabled).toBe(false);
    expect(leak).toEqual({ reportedAt: leakedAt, ...place, secret: 'current' });
  });

  it.each([
    ['notify', 200, 'unchanged'],
    ['disable', 403, 'disabled'],
    ['delete', 401, 'deleted'],
  ])('should be treated as the organization chose: %s', async (onLeak, status, outcome) => {
    const member = await createMemberOn(service, onLeak);
    const { id, key } = await createApiKey(service, member);
    const other = await createApiKey(service, member);
    expect(await report(replica, { token: key, ...place })).toEqual(['true_positive']);
    expect(await Promise.all([service, replica].map((app) => statusOf(app, key)))).toEqual([status, status]);
    expect(await statusOf(service, other.key)).toBe(200);
    expect(await readLeakEvents(service, member)).toEqual([
      {
        actorKind: 'system',
        targetId: id,
        targetHint: hintOfApiKey(key),
        after: { ...place, secret: 'current', outcome },
      },
    ]);
    const shown = await call(service.url, `GET /api-keys/${id}`, { token: member.token });
    expect(shown.status).toBe(onLeak === 'delete' ? 404 : 200);
  });

  it('should be rejected by every replica while both are in use, once the response has arrived', async () => {
    for (const onLeak of ['disable', 'delete']) {
      const member = await createMemberOn(service, onLeak);
      const keys = await Promise.all(Array.from({ length: 10 }, () => createApiKey(service, member)));
      const handled = new Set<string>();
      const late: string[] = [];
      let isOver = false;
      const use = async (worker: number) => {
        for (let round = worker; !isOver; round++) {
          const key = keys[round % keys.length]?.key ?? '';
          const wasHandled = handled.has(key);
          if ((await statusOf(round % 2 === 0 ? service : replica, key)) === 200 && wasHandled) late.push(key);
        }
      };
      const workers = Array.from({ length: 8 }, (_, worker) => use(worker));
      for (const [index, { key }] of keys.entries()) {
        await report(index % 2 === 0 ? service : replica, { token: key });
        handled.add(key);
      }
      isOver = true;
      await Promise.all(workers);
      expect({ onLeak, late }).toEqual({ onLeak, late: [] });
    }
  });

  it('should affect no key of another organization', async () => {
    const [victim, other] = [await createMember(service), await createMember(service)];
    const [leaked, safe] = [await createApiKey(service, victim), await createApiKey(service, other)];
    await report(service, { token: leaked.key, ...place });
    expect(await statusOf(service, safe.key)).toBe(200);
    expect(await readLeakEvents(service, other)).toEqual([]);
    expect((await readKey(service, other, safe.id)).leak).toBeUndefined();
    const foreign = await call(service.url, `GET /api-keys/${leaked.id}`, { token: other.token });
    expect(foreign.status).toBe(404);
  });

  it('should be found in the list, also by its state', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member, 'Leaked');
    await createApiKey(service, member, 'Safe');
    await report(service, { token: key });
    const { body } = await call(service.url, 'GET /api-keys?state=leaked', { token: member.token });
    const { apiKeys } = body as ApiKeyListDto;
    expect(apiKeys.map(({ name, leakedAt }) => [name, typeof leakedAt])).toEqual([['Leaked', 'string']]);
  });

  it('should be disabled even if it has expired, because someone could extend it', async () => {
    const member = await createMember(service);
    const { id, key } = await createApiKey(service, member, 'Expired', new Date(Date.now() + 60_000));
    await service.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expect(await report(service, { token: key })).toEqual(['true_positive']);
    expect((await readKey(service, member, id)).enabled).toBe(false);
  });

  it('should change nothing without its audit event', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    const { status } = await withoutAudit(service, () =>
      call(service.url, 'POST /leaked-keys', { body: [{ token: key }] }),
    );
    expect(status).toBe(500);
    expect(await statusOf(service, key)).toBe(200);
    expect(await report(service, { token: key })).toEqual(['true_positive']);
    expect(await readLeakEvents(service, member)).toHaveLength(1);
  });
});

describe('A leaked previous secret', () => {
  it.each(['disable', 'delete'])('should be revoked, without the current one (%s)', async (onLeak) => {
    const member = await createMemberOn(service, onLeak);
    const { id, key: former } = await createApiKey(service, member);
    const current = await rotate(service, member, id);
    expect(await report(service, { token: former, ...place })).toEqual(['true_positive']);
    expect(await Promise.all([statusOf(replica, former), statusOf(replica, current)])).toEqual([401, 200]);
    const { enabled, leak, previousSecretHint } = await readKey(service, member, id);
    expect({ enabled, secret: leak?.secret, previousSecretHint }).toEqual({
      enabled: true,
      secret: 'previous',
      previousSecretHint: null,
    });
    expect(await readLeakEvents(service, member)).toMatchObject([
      { targetHint: hintOfApiKey(former), after: { secret: 'previous', outcome: 'previous-secret-revoked' } },
    ]);
    expect(await report(service, { token: former, ...place })).toEqual(['true_positive']);
    expect(await readLeakEvents(service, member)).toHaveLength(1);
  });

  it('should keep working if the organization only wants to be notified', async () => {
    const member = await createMemberOn(service, 'notify');
    const { id, key: former } = await createApiKey(service, member);
    await rotate(service, member, id);
    await report(service, { token: former });
    expect(await statusOf(service, former)).toBe(200);
  });

  it('should not come back with a rotation of the disabled key', async () => {
    const member = await createMember(service);
    const { id, key } = await createApiKey(service, member);
    await report(service, { token: key });
    const current = await rotate(service, member, id, 600);
    await call(service.url, `PATCH /api-keys/${id}`, { token: member.token, body: { enabled: true } });
    expect(await Promise.all([statusOf(service, key), statusOf(service, current)])).toEqual([401, 200]);
    expect((await readKey(service, member, id)).leak).toBeUndefined();
  });

  it('should stay noted while a rotation of an enabled key keeps it, and no longer', async () => {
    const member = await createMemberOn(service, 'notify');
    const { id, key } = await createApiKey(service, member);
    await report(service, { token: key });
    await rotate(service, member, id, 600);
    expect((await readKey(service, member, id)).leak?.secret).toBe('previous');
    await call(service.url, `DELETE /api-keys/${id}/previous-secret`, { token: member.token });
    expect((await readKey(service, member, id)).leak).toBeUndefined();
  });
});

describe('A repeated report', () => {
  it.each(['notify', 'disable', 'delete'])('should get the same label and change nothing (%s)', async (onLeak) => {
    const member = await createMemberOn(service, onLeak);
    const { key } = await createApiKey(service, member);
    for (const app of [service, replica, service]) {
      expect(await report(app, { token: key, ...place }, { token: key, ...place })).toEqual([
        'true_positive',
        'true_positive',
      ]);
    }
    expect(await readLeakEvents(service, member)).toHaveLength(1);
  });

  it('should respect that someone has enabled the key again, until it is found somewhere else', async () => {
    const member = await createMember(service);
    const { id, key } = await createApiKey(service, member);
    await report(service, { token: key, ...place });
    await call(service.url, `PATCH /api-keys/${id}`, { token: member.token, body: { enabled: true } });
    await report(service, { token: key, ...place });
    expect(await statusOf(service, key)).toBe(200);
    await report(service, { token: key, ...place, source: 'npm' });
    expect(await statusOf(service, key)).toBe(403);
    const outcomes = (await readLeakEvents(service, member)).map(({ after }) => after.outcome);
    expect(outcomes).toEqual(['disabled', 'disabled']);
    expect((await readKey(service, member, id)).leak).toMatchObject(place);
  });

  it('should be recorded for each place, but not for places without end', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    const places = Array.from({ length: 2 * maxPlaces }, (_, index) => `https://example.com/${index}`);
    for (const half of [places.slice(0, 15), places.slice(15)]) {
      const labels = await report(service, ...half.map((url) => ({ token: key, url })));
      expect(new Set(labels)).toEqual(new Set(['true_positive']));
    }
    const events = await readLeakEvents(service, member);
    expect(events.map(({ after }) => after.url)).toEqual(places.slice(0, maxPlaces));
    expect(events.map(({ after }) => after.outcome).slice(0, 2)).toEqual(['disabled', 'already-rejected']);
  });

  it.each(['notify', 'disable', 'delete'])(
    'should be handled once by two replicas at the same time (%s)',
    async (onLeak) => {
      const member = await createMemberOn(service, onLeak);
      const keys = await Promise.all(Array.from({ length: 5 }, () => createApiKey(service, member)));
      const reports = keys.map(({ key }) => ({ token: key, ...place }));
      const labels = await Promise.all(
        Array.from({ length: 8 }, (_, round) =>
          report(round % 2 === 0 ? service : replica, ...(round % 3 === 0 ? reports : reports.toReversed())),
        ),
      );
      expect(new Set(labels.flat())).toEqual(new Set(['true_positive']));
      const events = await readLeakEvents(service, member);
      expect(events.map(({ targetId }) => targetId).sort()).toEqual(keys.map(({ id }) => id).sort());
    },
  );

  it('should still be recognized after the key was deleted', async () => {
    const member = await createMember(service);
    const { id, key } = await createApiKey(service, member);
    await report(service, { token: key, ...place });
    await call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
    expect(await report(service, { token: key, ...place, source: 'npm' })).toEqual(['true_positive']);
    const outcomes = (await readLeakEvents(service, member)).map(({ after }) => after.outcome);
    expect(outcomes).toEqual(['disabled', 'already-rejected']);
  });

  it('should find nothing once the organization was deleted', async () => {
    await createMember(service);
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    await report(service, { token: key, ...place });
    const { status } = await call(service.url, 'DELETE /organizations/current', { token: member.token });
    expect(status).toBe(200);
    expect(await report(service, { token: key, ...place })).toEqual(['false_positive']);
  });
});

describe('onLeak', () => {
  it('should be part of the organization and its audit log', async () => {
    const { token, organizationId } = await createMember(service);
    const path = '/organizations/current';
    expect((await call(service.url, `GET ${path}`, { token })).body).toMatchObject({ onLeak: 'disable' });
    const changed = await call(service.url, `PATCH ${path}`, { token, body: { onLeak: 'delete' } });
    expect(changed.body).toMatchObject({ onLeak: 'delete' });
    const [event] = await service.query<{ before: unknown; after: unknown }>(
      `select before, after from audit_events where action = 'organization.update' and organization_id = $1`,
      [organizationId],
    );
    expect(event).toEqual({ before: { onLeak: 'disable' }, after: { onLeak: 'delete' } });
  });

  it.each(['ignore', '', null, 1])('should be one of the policies, not %j', async (onLeak) => {
    const { token } = await createMember(service);
    const { status, body } = await call(service.url, 'PATCH /organizations/current', { token, body: { onLeak } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'onLeak' }] });
  });

  it('should take the permission to change the organization', async () => {
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    const { status } = await call(service.url, 'PATCH /organizations/current', { token, body: { onLeak: 'notify' } });
    expect(status).toBe(403);
  });
});
