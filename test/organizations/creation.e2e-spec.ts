import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

type Setting = 'owners' | 'everyone' | 'nobody';

const allButOne = allPermissions.slice(1);

function useSetting(organizationCreation: Setting | undefined) {
  const service = useTestApp({ config: organizationCreation && { organizationCreation } });
  const create = ({ token }: Pick<Member, 'token'>) =>
    call(service.url, 'POST /organizations', { token, body: { name: 'Elsewhere' } });
  const createAs = async (permissions: readonly Permission[]) => {
    const member = await createMember(service, { permissions: [...permissions] });
    const { body } = await call(service.url, 'GET /auth/me', { token: member.token });
    const response = await create(member);
    expect(body).toMatchObject({ canCreateOrganizations: response.status === 201 });
    return response;
  };
  const count = async () => (await service.query('select from organizations')).length;
  return { service, create, createAs, count };
}

const denied = (detail: string) => ({
  code: 'organization-creation-denied',
  detail: expect.stringContaining(detail) as string,
});

describe('POST /organizations by default', () => {
  const { service, create, createAs, count } = useSetting(undefined);

  it.each([[[]], [['get-api-keys']], [allButOne]] as Permission[][][])(
    'should return 403 to a member with the permissions %j',
    async (permissions) => {
      const before = await count();
      const { status, body } = await createAs(permissions);
      expect([status, await count()]).toEqual([403, before + 1]);
      expect(body).toMatchObject(denied('every permission'));
    },
  );

  it('should create an organization for a member with every permission', async () => {
    expect((await createAs(allPermissions)).status).toBe(201);
  });

  it('should count permissions of another organization, but not of two together', async () => {
    const [first = 'get-usage', ...rest] = allPermissions;
    const member = await createMember(service, { permissions: [first] });
    const { organizationId } = await createMember(service);
    await addMembership(service, { userId: member.userId, organizationId, permissions: rest });
    expect((await create(member)).status).toBe(403);
    const { organizationId: third } = await createMember(service);
    await addMembership(service, { userId: member.userId, organizationId: third });
    expect((await create(member)).status).toBe(201);
  });

  it('should return 403 once the member has lost a permission or their organizations', async () => {
    const owner = await createMember(service);
    const { organizationId } = await createMember(service);
    const elsewhere = await addMembership(service, { userId: owner.userId, organizationId, permissions: [] });
    expect((await create(elsewhere)).status).toBe(201);
    await service.query('delete from memberships where user_id = $1 and id <> $2', [
      owner.userId,
      elsewhere.membershipId,
    ]);
    expect((await create(elsewhere)).status).toBe(403);
    const narrowed = await createMember(service);
    await service.query('update roles set permissions = $1 where id = $2', [allButOne, narrowed.roleId]);
    expect((await create(narrowed)).status).toBe(403);
  });
});

describe('POST /organizations with ORGANIZATION_CREATION=everyone', () => {
  const { createAs } = useSetting('everyone');

  it('should create an organization for a member without permissions', async () => {
    expect((await createAs([])).status).toBe(201);
  });
});

describe('POST /organizations with ORGANIZATION_CREATION=nobody', () => {
  const { createAs, count } = useSetting('nobody');

  it('should return 403 even to an Owner', async () => {
    const before = await count();
    const { status, body } = await createAs(allPermissions);
    expect([status, await count()]).toEqual([403, before + 1]);
    expect(body).toMatchObject(denied('turned off'));
  });
});
