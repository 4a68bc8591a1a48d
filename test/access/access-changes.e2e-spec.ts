import { DataSource } from 'typeorm';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const password = 'correct horse battery staple';
const service = useTestApp();
let owner: Member;
let viewer: Member;

beforeEach(async () => {
  owner = await createMember(service);
  viewer = await createMember(service, { organizationId: owner.organizationId, permissions: ['get-usage'] });
});

const send = (route: string, body?: object, token = owner.token) => call(service.url, route, { token, body });
const invite = async (email: string) => {
  const response = await send('POST /members', { email, roleId: viewer.roleId });
  return response.body as { id: string; link: string };
};

/** Runs SQL while a change by the owner waits for a lock. */
async function whileWaiting<Result>(request: () => Promise<Result>, sql: string, id: string): Promise<Result> {
  const other = service.app.get(DataSource).createQueryRunner();
  try {
    await other.startTransaction();
    await other.query('select from organizations where id = $1 for no key update', [owner.organizationId]);
    const response = request();
    await waitFor(async () => (await countLockWaits(service)) > 0);
    await other.query(sql, [id]);
    await other.commitTransaction();
    return await response;
  } finally {
    await other.release();
  }
}

describe('An access change that waits for another one', () => {
  const create = () => send('POST /roles', { name: 'Auditor', permissions: ['get-audit-events'] });

  it('should not grant permissions its actor has lost', async () => {
    const narrow = `update roles set permissions = array_remove(permissions, 'get-audit-events') where id = $1`;
    const response = await whileWaiting(create, narrow, owner.roleId);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('get-audit-events') as string });
  });

  it('should be rejected if its actor has lost the required permission', async () => {
    const narrow = `update roles set permissions = array_remove(permissions, 'create-roles') where id = $1`;
    const response = await whileWaiting(create, narrow, owner.roleId);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('create-roles') as string });
  });

  it('should be rejected if its actor was removed', async () => {
    const response = await whileWaiting(create, 'delete from memberships where id = $1', owner.membershipId);
    expect(response.status).toBe(401);
  });
});

describe('A change whose audit event cannot be written', () => {
  const rejectEvents = 'alter table audit_events add constraint no_events check (false) not valid';

  const dump = () =>
    service.query(`
      select o::text as row from organizations o union all select r::text from roles r
      union all select m::text from memberships m union all select i::text from invitations i
      union all select u::text from users u order by 1`);

  it('should be rolled back', async () => {
    const open = await invite('open@example.com');
    const empty = (await send('POST /roles', { name: 'Empty', permissions: [] })).body as { id: string };
    const token = open.link.split('#token=')[1];
    const before = await dump();
    await service.query(rejectEvents);
    try {
      const responses = [
        await send('POST /organizations', { name: 'Research' }),
        await send('PATCH /organizations/current', { name: 'Renamed' }),
        await send('POST /auth/switch-organization', { organizationId: owner.organizationId }),
        await send('POST /roles', { name: 'Auditor', permissions: [] }),
        await send(`PATCH /roles/${empty.id}`, { name: 'Renamed' }),
        await send(`DELETE /roles/${empty.id}`),
        await send(`PATCH /members/${viewer.membershipId}`, { roleId: empty.id }),
        await send(`DELETE /members/${viewer.membershipId}`),
        await send('POST /members', { email: 'new@example.com', roleId: empty.id }),
        await send(`DELETE /invitations/${open.id}`),
        await send('POST /auth/accept-invitation', { token, name: 'A guest', password }),
      ];
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 500));
    } finally {
      await service.query('alter table audit_events drop constraint no_events');
    }
    expect(await dump()).toEqual(before);
  });
});
