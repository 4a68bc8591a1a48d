import { DataSource } from 'typeorm';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { type Account, createAccount, rightPassword } from '../factories/accounts.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { waitFor } from '../setup/wait-for.js';
import { useTestApp } from '../setup/use-test-app.js';

const newPassword = 'another battery staple';
const service = useTestApp();
let owner: Member;
let account: Account;
let token: string;

beforeEach(async () => {
  owner = await createMember(service);
  account = await createAccount(service);
  const body = { email: account.email, roleId: owner.roleId };
  const invitation = await call(service.url, 'POST /members', { token: owner.token, body });
  token = (invitation.body as CreatedInvitationDto).link.split('#token=')[1] ?? '';
});

const accept = (password = rightPassword) =>
  call(service.url, 'POST /auth/accept-invitation', { body: { token, password } });
const changePassword = () =>
  call(service.url, 'POST /auth/change-password', {
    token: account.token,
    body: { currentPassword: rightPassword, newPassword },
  });
const me = (accessToken: string) => call(service.url, 'GET /auth/me', { token: accessToken });
const tokenOf = ({ body }: CallResponse) => (body as { accessToken: string }).accessToken;

describe("Accepting an invitation while the account's password changes", () => {
  it('should leave no session opened with the old password', async () => {
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('select from organizations where id = $1 for no key update', [owner.organizationId]);
    const accepting = accept();
    // The acceptance has checked the old password and waits for the organization's lock.
    await waitFor(async () => (await countLockWaits(service)) === 1);
    let isChanged = false;
    const changing = changePassword().finally(() => (isChanged = true));
    await waitFor(async () => isChanged || (await countLockWaits(service)) === 2);
    await blocker.rollbackTransaction();
    await blocker.release();

    const [accepted, changed] = await Promise.all([accepting, changing]);
    expect([accepted.status, changed.status]).toEqual([200, 200]);
    expect((await me(tokenOf(accepted))).status).toBe(401);
    expect((await me(account.token)).status).toBe(200);
  });

  it('should fail if the change comes first, and work with the new password', async () => {
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('select from users where id = $1 for no key update', [account.userId]);
    const changing = changePassword();
    // The change is queued first for the account's row.
    await waitFor(async () => (await countLockWaits(service)) === 1);
    const accepting = accept();
    let isAccepted = false;
    void accepting.finally(() => (isAccepted = true));
    await waitFor(async () => isAccepted || (await countLockWaits(service)) === 2);
    await blocker.rollbackTransaction();
    await blocker.release();

    expect((await changing).status).toBe(200);
    expect((await accepting).status).toBe(401);
    expect((await readAuditEvents(service, { actor: account.email })).map(({ action }) => action)).toContain(
      'sign-in-failed',
    );
    expect((await accept(newPassword)).status).toBe(200);
  });
});
