import { DataSource } from 'typeorm';
import { type RateLimit, rateLimits, RateLimitsService } from '../../src/auth/limits/rate-limits.service.js';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createAccount, rightPassword, wrongPassword } from '../factories/accounts.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { waitFor } from '../setup/wait-for.js';
import { useReplicas } from '../setup/use-test-app.js';

const [service, replica] = useReplicas();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

/** Sends an invitation and returns its token. */
async function invite(email: string, { token, roleId } = owner): Promise<string> {
  const { body } = await call(service.url, 'POST /members', { token, body: { email, roleId } });
  return (body as CreatedInvitationDto).link.split('#token=')[1] ?? '';
}

const accept = (token: string, body: object = {}, { url } = service) =>
  call(url, 'POST /auth/accept-invitation', { body: { token, name: 'A guest', password: rightPassword, ...body } });

/** Returns everything a client can compare, except the request id. */
const visible = ({ status, headers, body }: CallResponse) => ({
  status,
  body: { ...(body as object), requestId: undefined },
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
});

describe('Accepting an invitation without proof of owning an account', () => {
  it('should get the same response whether the account exists, has no password, or was created at the same moment', async () => {
    const { email } = await createAccount(service);
    const withoutPassword = await createMember(service, { email: `sso-${email}` });
    await service.query('update users set password_hash = null where id = $1', [withoutPassword.userId]);
    const wrong = [
      await accept(await invite(`new-${email}`), { name: undefined }),
      await accept(await invite(email), { name: undefined, password: wrongPassword }),
      await accept(await invite(email), { password: wrongPassword }),
      await accept(await invite(`sso-${email}`)),
      await acceptWhileCreated(`raced-${email}`),
    ];
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 401));
    expect(wrong.map(visible)).toEqual(wrong.map(() => visible(wrong[0] as CallResponse)));
    const events = await readAuditEvents(service, { organizationId: owner.organizationId });
    const failures = events.filter(({ action }) => action === 'sign-in-failed');
    expect(failures.map(({ actorId, targetId }) => [actorId, targetId])).toEqual(wrong.map(() => [null, null]));
  });

  /** Creates the account through another invitation after this acceptance found none. */
  async function acceptWhileCreated(email: string): Promise<CallResponse> {
    const token = await invite(email);
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query(
      `insert into users (id, email, name, password_hash) values (gen_random_uuid(), $1, 'Ada', 'x')`,
      [email],
    );
    const accepting = accept(token);
    let isDone = false;
    void accepting.finally(() => (isDone = true));
    await waitFor(async () => isDone || (await countLockWaits(service)) > 0);
    await blocker.query('update users set password_hash = null where email = $1', [email]);
    await blocker.commitTransaction();
    await blocker.release();
    return accepting;
  }

  it('should leave the invitation open for the right password', async () => {
    const { email, userId } = await createAccount(service);
    const token = await invite(email);
    expect((await accept(token, { password: wrongPassword })).status).toBe(401);
    expect((await accept(token)).status).toBe(200);
    const members = await service.query('select from memberships where user_id = $1 and organization_id = $2', [
      userId,
      owner.organizationId,
    ]);
    expect(members).toHaveLength(1);
  });
});

describe('Failed attempts to accept', () => {
  const spendAllBut = async (left: number, limit: RateLimit, key: string) => {
    const limits = service.app.get(RateLimitsService);
    for (let time = left; time < rateLimits[limit].attempts; time++) await limits.spend(limit, key);
  };
  const idOf = async (email: string) =>
    (await service.query<{ id: string }>('select id from invitations where email = $1', [email]))[0]?.id ?? '';

  it('should be limited for each invitation, and then get the same response with and without an account', async () => {
    const { email } = await createAccount(service);
    const [existing, unknown] = [await invite(email), await invite(`new-${email}`)];
    for (const name of [email, `new-${email}`]) await spendAllBut(1, 'acceptance by invitation', await idOf(name));
    expect((await accept(existing, { password: wrongPassword })).status).toBe(401);
    expect((await accept(unknown, { name: undefined })).status).toBe(401);
    const late = [await accept(existing, {}, replica), await accept(unknown, {}, replica)];
    expect(late.map(({ status }) => status)).toEqual([429, 429]);
    expect(Number(late[0]?.headers.get('retry-after'))).toBeGreaterThan(800);
    await service.query('update rate_limits set expire = 0');
    expect([(await accept(existing)).status, (await accept(unknown)).status]).toEqual([200, 200]);
  });

  it('should be limited for each inviter, over all invitations, organizations and replicas', async () => {
    const { email } = await createAccount(service);
    const { organizationId } = await createMember(service);
    const second = await addMembership(service, { userId: owner.userId, organizationId });
    await spendAllBut(1, 'acceptance by inviter', owner.userId);
    expect((await accept(await invite(email), { password: wrongPassword })).status).toBe(401);
    expect((await accept(await invite(email, second), {}, replica)).status).toBe(429);
    const other = await createMember(service);
    expect((await accept(await invite(email, other), { password: wrongPassword })).status).toBe(401);
  });

  it('should not count attempts that succeed or fail for another reason', async () => {
    const { email } = await createAccount(service);
    await spendAllBut(1, 'acceptance by inviter', owner.userId);
    const token = await invite(email);
    for (let time = 0; time < 2; time++) expect((await accept(token, { password: 'short' })).status).toBe(400);
    expect((await accept(token)).status).toBe(200);
    expect((await accept(await invite(`new-${email}`))).status).toBe(200);
    const another = await invite(`third-${email}`);
    expect((await accept(another, { name: undefined })).status).toBe(401);
    expect((await accept(another)).status).toBe(429);
  });
});
