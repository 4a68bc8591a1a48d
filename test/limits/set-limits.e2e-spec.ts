import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { Limit } from '../../src/limits/limit.js';
import type { OrganizationDetailsDto } from '../../src/organizations/dto/organization.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const manage = (route: string, body?: unknown, token = member.token) => call(service.url, route, { token, body });
const stateFields = ['used', 'reserved', 'estimated', 'remaining', 'resetsAt', 'isIncreased'];
const limitsOf = ({ body }: CallResponse): unknown[] =>
  (body as ApiKeyDetailsDto | OrganizationDetailsDto).limits.map((state) =>
    Object.fromEntries(Object.entries(state).filter(([field]) => !stateFields.includes(field))),
  );

/** The same settings of a key and of an organization. */
const owners = {
  'an API key': {
    update: (limits: unknown) => manage(`PATCH /api-keys/${apiKey.id}`, { limits }),
    read: () => manage(`GET /api-keys/${apiKey.id}`),
    stored: () => service.query('select limits from api_keys where id = $1', [apiKey.id]),
    events: async () => (await readAuditEvents(service, { targetId: apiKey.id })).slice(1),
  },
  'an organization': {
    update: (limits: unknown) => manage('PATCH /organizations/current', { limits }),
    read: () => manage('GET /organizations/current'),
    stored: () => service.query('select limits from organizations where id = $1', [member.organizationId]),
    events: () => readAuditEvents(service, { targetId: member.organizationId }),
  },
};

const perMinute: Limit = { metric: 'requests', per: 'minute', max: 600 };
const perMonth: Limit = { metric: 'tokens', per: 'month', max: 1e12 };

const everyLimit: Limit[] = [
  { metric: 'requests', per: 'second', max: 1 },
  perMinute,
  { metric: 'requests', per: 'hour', max: 2 },
  { metric: 'requests', per: 'day', max: 3 },
  { metric: 'requests', per: 'week', max: 3 },
  { metric: 'requests', per: 'month', max: 4 },
  { metric: 'tokens', per: 'minute', max: 5 },
  { metric: 'tokens', per: 'hour', max: 6 },
  { metric: 'tokens', per: 'day', max: 7 },
  { metric: 'tokens', per: 'day', max: 7, models: ['a'] },
  { metric: 'tokens', per: 'day', max: 7, models: ['a', 'b'] },
  perMonth,
  { metric: 'pages', per: 'minute', max: 8 },
  { metric: 'pages', per: 'hour', max: 9 },
  { metric: 'pages', per: 'day', max: 10 },
  { metric: 'pages', per: 'month', max: 11 },
  { metric: 'cost', per: 'day', max: '0.000000001' },
  { metric: 'cost', per: 'week', max: '1000000000', notifyAt: [1, 100] },
  { metric: 'cost', per: 'month', max: '25', increase: { by: '2.5', until: '2026-12-01T00:00:00.000Z' } },
  { metric: 'concurrency', max: 20 },
  { metric: 'concurrency', max: 2, models: ['a'] },
];

describe.each(Object.entries(owners))('The limits of %s', (_owner, { update, read, stored, events }) => {
  it('should be an empty list at first', async () => {
    expect(limitsOf(await read())).toEqual([]);
  });

  it('should be returned sorted, with at most one per metric, period and set of models', async () => {
    expect((await update(everyLimit.toReversed())).status).toBe(200);
    expect(limitsOf(await read())).toEqual(everyLimit);
  });

  it('should be replaced as a whole, and be kept by changes of other settings', async () => {
    await update(everyLimit);
    await update([perMinute]);
    expect((await update(undefined)).status).toBe(200);
    expect(limitsOf(await read())).toEqual([perMinute]);
  });

  it('should be removed by an empty list, and stored as null', async () => {
    await update([perMinute]);
    expect((await update([])).status).toBe(200);
    expect(limitsOf(await read())).toEqual([]);
    expect(await stored()).toEqual([{ limits: null }]);
  });

  it('should be stored in one form, and returned and audited without trailing zeros', async () => {
    const limit = {
      metric: 'cost',
      per: 'month',
      max: '25.00',
      models: ['b', 'a'],
      increase: { by: '5.10', until: '2026-12-01T02:00:00+02:00' },
      notifyAt: [100, 50],
    };
    const shown = {
      ...limit,
      max: '25',
      models: ['a', 'b'],
      increase: { by: '5.1', until: '2026-12-01T00:00:00.000Z' },
      notifyAt: [50, 100],
    };
    expect((await update([limit])).status).toBe(200);
    expect(limitsOf(await read())).toEqual([shown]);
    expect(await stored()).toEqual([
      { limits: [{ ...shown, max: '25000000000', increase: { ...shown.increase, by: '5100000000' } }] },
    ]);
    expect((await events()).map(({ after }) => after)).toEqual([{ limits: [shown] }]);
    // Neither changes anything.
    await update([shown]);
    await update([{ ...limit, max: '25.000000000', models: ['a', 'b'] }]);
    expect(await events()).toHaveLength(1);
  });

  it('should be audited if they change', async () => {
    await update([]);
    await update([perMonth, perMinute]);
    await update([perMinute, perMonth]);
    await update([]);
    expect((await events()).map(({ before, after }) => [before, after])).toEqual([
      [{ limits: null }, { limits: [perMinute, perMonth] }],
      [{ limits: [perMinute, perMonth] }, { limits: null }],
    ]);
  });

  it.each([
    ['limits', null, 'limits must be a list of objects with metric, per and max.'],
    ['limits', perMinute, 'limits must be a list of objects with metric, per and max.'],
    ['limits', '600', 'limits must be a list of objects with metric, per and max.'],
    ['limits', [perMinute, null], 'limits must be a list of objects with metric, per and max.'],
    ['limits', [[perMinute]], 'limits must be a list of objects with metric, per and max.'],
    [
      'limits',
      [perMinute, perMonth, { ...perMinute, max: 1 }],
      'limits must have at most one limit of requests per minute.',
    ],
    [
      'limits.1.metric',
      [perMinute, { ...perMinute, metric: 'characters' }],
      'limits.1.metric must be one of requests, tokens, pages, cost, concurrency.',
    ],
    [
      'limits.0.metric',
      [{ per: 'minute', max: 1 }],
      'limits.0.metric must be one of requests, tokens, pages, cost, concurrency.',
    ],
    [
      'limits.0.per',
      [{ ...perMinute, per: 'year' }],
      'limits.0.per must be one of second, minute, hour, day, week, month.',
    ],
    [
      'limits.0.per',
      [{ ...perMonth, per: 'second' }],
      'limits.0.per must be one of minute, hour, day, week, month for tokens.',
    ],
    ...[0, -1, 1.5, 1e12 + 1, '600', null, undefined].map((max): [string, unknown, string] => [
      'limits.1.max',
      [perMonth, { ...perMinute, max }],
      'limits.1.max must be an integer between 1 and 1000000000000.',
    ]),
    [
      'limits.0.max',
      [{ metric: 'cost', per: 'month', max: 25 }],
      'limits.0.max must be a decimal string above 0 and at most 1000000000, with up to 9 decimals, such as "25.00".',
    ],
    ['limits.0.per', [{ metric: 'concurrency', per: 'day', max: 1 }], 'limits.0.per must be omitted for concurrency.'],
    [
      'limits.0.increase.by',
      [{ ...perMonth, increase: { by: '5', until: '2026-12-01T00:00:00Z' } }],
      'limits.0.increase.by must be an integer between 1 and 1000000000000.',
    ],
    [
      'limits.0.increase.until',
      [{ ...perMonth, increase: { by: 5, until: '2026-12-01' } }],
      'limits.0.increase.until must be a date and time with a UTC offset, such as 2026-01-31T09:30:00Z, in the years 2000 to 2999.',
    ],
    [
      'limits.0.increase.if',
      [{ ...perMonth, increase: { by: 5, until: '2026-12-01T00:00:00Z', if: 1 } }],
      'limits.0.increase.if is not a known field.',
    ],
    [
      'limits.0.models',
      [{ ...perMonth, models: [] }],
      'limits.0.models must be null or a list of 1 to 100 model ids of 1 to 200 characters, each once.',
    ],
    [
      'limits.0.notifyAt',
      [{ ...perMinute, notifyAt: [50] }],
      "limits.0.notifyAt must be omitted per minute: it's only for day, week, month.",
    ],
    ['limits.0.burst', [{ ...perMinute, burst: 5 }], 'limits.0.burst is not a known field.'],
    ['limits.0.toString', [{ ...perMinute, toString: 5 }], 'limits.0.toString is not a known field.'],
  ])('should be rejected with the field %s for %j', async (field, limits, message) => {
    const response = await update(limits);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation-failed', errors: [{ field, message }] });
    expect(limitsOf(await read())).toEqual([]);
  });

  it('should be rejected with every invalid field', async () => {
    const { body } = await update([{ metric: 'tokens', per: 'second', max: 0 }, {}]);
    expect((body as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual([
      'limits.0.per',
      'limits.0.max',
      'limits.1.metric',
      'limits.1.per',
      'limits.1.max',
    ]);
  });
});

describe('POST /api-keys', () => {
  const create = (limits: unknown, token?: string) => manage('POST /api-keys', { name: 'Scanner', limits }, token);

  it('should create a key with limits and audit them', async () => {
    const response = await create([perMonth, perMinute]);
    expect(response.status).toBe(201);
    const location = response.headers.get('location') ?? '';
    expect(limitsOf(await manage(`GET ${location}`))).toEqual([perMinute, perMonth]);
    const [event] = await readAuditEvents(service, { targetId: location.split('/').at(-1) ?? '' });
    expect(event?.after).toEqual({ name: 'Scanner', limits: [perMinute, perMonth] });
  });

  it('should return 400 for invalid limits', async () => {
    const response = await create([{ ...perMinute, max: 0 }]);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'limits.0.max' }] });
  });

  it('should return 403 without the permission create-api-keys', async () => {
    const { token } = await createMember(service, { permissions: ['update-api-keys'] });
    expect((await create([perMinute], token)).status).toBe(403);
  });
});

describe('PATCH /api-keys/{id}', () => {
  it('should return 401 without a token and 403 without the permission update-api-keys', async () => {
    const route = `PATCH /api-keys/${apiKey.id}`;
    const body = { limits: [perMinute] };
    expect((await call(service.url, route, { body })).status).toBe(401);
    const { organizationId } = member;
    const other = await createMember(service, { organizationId, permissions: ['create-api-keys', 'get-api-keys'] });
    expect((await manage(route, body, other.token)).status).toBe(403);
  });

  it('should return 404 for the limits of unknown keys and keys of other organizations', async () => {
    const other = await createMember(service);
    const foreign = await createApiKey(service, other);
    for (const id of [...unknownIds, foreign.id]) {
      expect((await manage(`PATCH /api-keys/${id}`, { limits: [perMinute] })).status).toBe(404);
    }
    expect(limitsOf(await manage(`GET /api-keys/${foreign.id}`, undefined, other.token))).toEqual([]);
  });
});

describe('PATCH /organizations/current', () => {
  it('should return 401 without a token and 403 without the permission update-organization', async () => {
    const body = { limits: [perMinute] };
    expect((await call(service.url, 'PATCH /organizations/current', { body })).status).toBe(401);
    const other = await createMember(service, { permissions: ['update-api-keys'] });
    expect((await manage('PATCH /organizations/current', body, other.token)).status).toBe(403);
  });

  it('should not affect other organizations and their keys', async () => {
    const other = await createMember(service);
    const foreign = await createApiKey(service, other);
    await owners['an organization'].update([perMinute]);
    expect(limitsOf(await manage('GET /organizations/current', undefined, other.token))).toEqual([]);
    const limited = 'select from api_keys where id = any($1) and organization_limited';
    expect(await service.query(limited, [[apiKey.id, foreign.id]])).toHaveLength(1);
  });
});

describe('GET /organizations/current', () => {
  it('should return the current organization to any member', async () => {
    const { organizationId } = member;
    await owners['an organization'].update([perMinute]);
    const { userId } = await createMember(service);
    const { token } = await addMembership(service, { userId, organizationId, permissions: [] });
    const response = await manage('GET /organizations/current', undefined, token);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      id: organizationId,
      name: `Organization ${organizationId}`,
      longestKeyLifetimeDays: null,
      limits: [perMinute],
    });
  });

  it('should return 401 without a token', async () => {
    expect((await call(service.url, 'GET /organizations/current')).status).toBe(401);
  });
});
