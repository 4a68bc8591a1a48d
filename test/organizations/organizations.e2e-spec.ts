import { allPermissions, type Permission } from '../../src/access/permissions.js';
import type { MyOrganizationListDto, OrganizationDto } from '../../src/organizations/dto/organization.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const create = (name: unknown, token = member.token) =>
  call(service.url, 'POST /organizations', { token, body: { name } });
const list = (token = member.token) => call(service.url, 'GET /organizations', { token });
const update = (body: unknown, token = member.token) =>
  call(service.url, 'PATCH /organizations/current', { token, body });
const switchTo = (organizationId: unknown, token = member.token) =>
  call(service.url, 'POST /auth/switch-organization', { token, body: { organizationId } });

describe('POST /organizations', () => {
  it('should make the creator Owner with all permissions', async () => {
    const response = await create('  Research ');
    expect(response.status).toBe(201);
    const { id, name } = response.body as OrganizationDto;
    expect(name).toBe('Research');
    expect(response.headers.get('location')).toBe(`/organizations/${id}`);
    const { accessToken } = (await switchTo(id)).body as { accessToken: string };
    const me = await call(service.url, 'GET /auth/me', { token: accessToken });
    const permissions = allPermissions.toSorted();
    expect(me.body).toMatchObject({ organization: { id, name }, role: { name: 'Owner' }, permissions });
  });

  it("should create the first organization's initial roles", async () => {
    const { id } = (await create('Research')).body as OrganizationDto;
    const roles = await service.query<{ name: string }>('select name from roles where organization_id = $1', [id]);
    expect(roles.map(({ name }) => name).sort()).toEqual(['Auditor', 'Key manager', 'Owner', 'Viewer']);
  });

  it('should let an Auditor read everything and change nothing', async () => {
    const { id } = (await create('Research')).body as OrganizationDto;
    const [auditor] = await service.query<{ permissions: Permission[] }>(
      "select permissions from roles where organization_id = $1 and name = 'Auditor'",
      [id],
    );
    const granted = (auditor?.permissions ?? []).toSorted();
    expect(granted).toEqual(allPermissions.filter((permission) => permission.startsWith('get-')).toSorted());
  });

  it('should record the event in the new organization', async () => {
    const { id } = (await create('Research')).body as OrganizationDto;
    expect(await readAuditEvents(service, { organizationId: id })).toMatchObject([
      { action: 'organization.create', actorId: member.userId, targetId: id, targetName: 'Research' },
    ]);
  });

  it.each(['a', '', null, 42, 'a\u0000b', 'x'.repeat(101)])('should return 400 for the name %j', async (name) => {
    const response = await create(name);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'name' }] });
  });

  it('should return 401 without a token', async () => {
    expect((await call(service.url, 'POST /organizations', { body: { name: 'Research' } })).status).toBe(401);
  });
});

describe('GET /organizations', () => {
  it("should list the user's organizations with their role in each", async () => {
    await createMember(service);
    const { id } = (await create('Research')).body as OrganizationDto;
    const response = await list();
    expect(response.status).toBe(200);
    expect((response.body as MyOrganizationListDto).organizations).toMatchObject([
      { id: member.organizationId, role: { id: member.roleId } },
      { id, name: 'Research', role: { name: 'Owner' } },
    ]);
  });

  it('should return 401 without a token', async () => {
    expect((await call(service.url, 'GET /organizations')).status).toBe(401);
  });
});

describe('PATCH /organizations/current', () => {
  it('should rename the organization and record both names', async () => {
    const { organizationId } = member;
    const response = await update({ name: 'Renamed' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: organizationId, name: 'Renamed' });
    const before = { name: `Organization ${organizationId}` };
    expect(await readAuditEvents(service, { organizationId })).toMatchObject([
      { action: 'organization.update', targetId: organizationId, before, after: { name: 'Renamed' } },
    ]);
  });

  it('should record no event if nothing changes', async () => {
    await update({ name: 'Renamed' });
    expect((await update({ name: 'Renamed' })).status).toBe(200);
    expect((await update({})).status).toBe(200);
    expect(await readAuditEvents(service, { organizationId: member.organizationId })).toHaveLength(1);
  });

  it('should limit the lifetime of new keys until the limit is removed', async () => {
    const createKey = () => call(service.url, 'POST /api-keys', { token: member.token, body: { name: 'A key' } });
    expect((await update({ longestKeyLifetimeDays: 30 })).body).toMatchObject({ longestKeyLifetimeDays: 30 });
    const refused = await createKey();
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('within 30 days');
    expect((await update({ longestKeyLifetimeDays: null })).body).toMatchObject({ longestKeyLifetimeDays: null });
    expect((await createKey()).status).toBe(201);
    expect(await readAuditEvents(service, { organizationId: member.organizationId })).toMatchObject([
      { before: { longestKeyLifetimeDays: null }, after: { longestKeyLifetimeDays: 30 } },
      { before: { longestKeyLifetimeDays: 30 }, after: { longestKeyLifetimeDays: null } },
      { action: 'api-key.create' },
    ]);
  });

  it('should set the time zone of limits, which is UTC at first, and record both', async () => {
    const current = () => call(service.url, 'GET /organizations/current', { token: member.token });
    expect((await current()).body).toMatchObject({ timeZone: 'UTC' });
    expect((await update({ timeZone: 'Europe/Berlin' })).body).toMatchObject({ timeZone: 'Europe/Berlin' });
    expect((await current()).body).toMatchObject({ timeZone: 'Europe/Berlin' });
    expect((await update({ timeZone: 'Europe/Berlin' })).status).toBe(200);
    expect(await readAuditEvents(service, { organizationId: member.organizationId })).toMatchObject([
      { action: 'organization.update', before: { timeZone: 'UTC' }, after: { timeZone: 'Europe/Berlin' } },
    ]);
  });

  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])(
    'should accept the time zone %s',
    async (timeZone) => {
      expect((await update({ timeZone })).body).toMatchObject({ timeZone });
    },
  );

  it('should accept every time zone that clients list', async () => {
    const unknown = await service.query(
      'select name from unnest($1::text[]) as name where name not in (select name from pg_timezone_names)',
      [Intl.supportedValuesOf('timeZone')],
    );
    expect(unknown).toEqual([]);
  });

  const notIana = 'timeZone must be an IANA time zone, such as Europe/Berlin.';
  const unknown = 'timeZone must be the name of a time zone that the database knows, such as Europe/Berlin.';
  it.each([
    ['Mars/Phobos', notIana],
    ['', notIana],
    [null, notIana],
    [2, notIana],
    [['UTC'], notIana],
    ["UTC'; drop table organizations; --", notIana],
    ['posix/Europe/Berlin', notIana],
    ['Europe/Berlin\u0000', notIana],
    ['europe/berlin', unknown],
  ])('should return 400 for the time zone %j', async (timeZone, message) => {
    const response = await update({ timeZone });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'timeZone', message }] });
  });

  it('should not affect other organizations', async () => {
    const other = await createMember(service);
    await update({ name: 'Renamed' });
    expect((await list(other.token)).body).not.toMatchObject({ organizations: [{ name: 'Renamed' }] });
  });

  it.each([
    { name: 'a' },
    { name: null },
    { title: 'Research' },
    { longestKeyLifetimeDays: 0 },
    { longestKeyLifetimeDays: 3651 },
    { longestKeyLifetimeDays: 1.5 },
    { longestKeyLifetimeDays: '30' },
  ])('should return 400 for %j', async (body) => {
    expect((await update(body)).status).toBe(400);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'PATCH /organizations/current', { body: { name: 'Renamed' } })).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-members'] });
    expect((await update({ name: 'Renamed' }, token)).body).toMatchObject({ code: 'missing-permission' });
  });
});

describe('POST /auth/switch-organization', () => {
  it('should return a token like sign-in and record an event in that organization', async () => {
    const { id } = (await create('Research')).body as OrganizationDto;
    const response = await switchTo(id);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ accessToken: expect.any(String) as string, tokenType: 'Bearer', expiresIn: 900 });
    expect(await readAuditEvents(service, { organizationId: id })).toMatchObject([
      { action: 'organization.create' },
      { action: 'organization.switch', actorId: member.userId, targetId: id },
    ]);
  });

  it('should return the same 404 for unknown, malformed and foreign ids', async () => {
    const other = await createMember(service);
    const responses = await Promise.all([...unknownIds, other.organizationId].map((id) => switchTo(id)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(await readAuditEvents(service, { organizationId: other.organizationId })).toEqual([]);
  });

  it('should return 400 for a number as id, and 401 without a token', async () => {
    expect((await switchTo(7)).body).toMatchObject({ errors: [{ field: 'organizationId' }] });
    const body = { organizationId: member.organizationId };
    expect((await call(service.url, 'POST /auth/switch-organization', { body })).status).toBe(401);
  });
});
