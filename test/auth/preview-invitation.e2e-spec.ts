import { RateLimitsService } from '../../src/auth/limits/rate-limits.service.js';
import { hashPassword } from '../../src/auth/password.js';
import type { AppError } from '../../src/common/errors/app-error.js';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { OpenInvitationsService } from '../../src/auth/invitations/open-invitations.service.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const password = 'correct horse battery staple';
const service = useTestApp();
let owner: Member;
let email: string;

beforeEach(async () => {
  owner = await createMember(service);
  email = `guest-of-${owner.userId}@example.com`;
});

const invite = (body: object = {}, token = owner.token) =>
  call(service.url, 'POST /members', { token, body: { email, roleId: owner.roleId, ...body } });
const withdraw = (id: string, token = owner.token) => call(service.url, `DELETE /invitations/${id}`, { token });
const accept = (body: object) =>
  call(service.url, 'POST /auth/accept-invitation', { body: { name: 'A guest', password, ...body } });
const preview = (token: unknown, as?: string) =>
  call(service.url, 'POST /auth/preview-invitation', { body: { token }, ...(as && { token: as }) });
const invitationOf = (response: CallResponse) => response.body as CreatedInvitationDto;
const problemOf = (body: unknown) => {
  const { code, detail } = body as { code?: string; detail?: string };
  return { code, detail };
};
const tokenOf = (response: CallResponse) => invitationOf(response).link.split('#token=')[1];

describe('POST /auth/preview-invitation', () => {
  it('should describe the invitation and leave it open', async () => {
    const invitation = await invite();
    const response = await preview(tokenOf(invitation));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      organization: { id: owner.organizationId, name: `Organization ${owner.organizationId}` },
      role: { id: owner.roleId, name: `Role ${owner.roleId}` },
      email,
      expiresAt: invitationOf(invitation).expiresAt,
    });
    expect((await accept({ token: tokenOf(invitation) })).status).toBe(200);
  });

  it("should tell only the account's owner that it exists and whether it has a password", async () => {
    const { userId, token: own } = await createMember(service, { email });
    const token = tokenOf(await invite());
    const fields = async (as?: string) => {
      const { hasAccount, hasPassword } = (await preview(token, as)).body as Record<string, unknown>;
      return { hasAccount, hasPassword };
    };
    const unknown = { hasAccount: undefined, hasPassword: undefined };
    expect([await fields(), await fields(owner.token)]).toEqual([unknown, unknown]);
    expect(await fields(own)).toEqual({ hasAccount: true, hasPassword: true });
    await service.query('update users set password_hash = null where id = $1', [userId]);
    expect(await fields(own)).toEqual({ hasAccount: true, hasPassword: false });
    expect(await fields()).toEqual(unknown);
  });

  it('should return 401 for an invalid JWT', async () => {
    expect((await preview(tokenOf(await invite()), 'nonsense')).status).toBe(401);
  });

  it('should reveal no more than accepting with a wrong or short password', async () => {
    const outcomes = [];
    for (const hasAccount of [false, true]) {
      const guest = `${String(hasAccount)}-${email}`;
      if (hasAccount) await createMember(service, { email: guest, passwordHash: await hashPassword(password) });
      const token = tokenOf(await invite({ email: guest }));
      const responses = [
        await preview(token),
        await accept({ token, name: undefined, password: 'a wrong password' }),
        await accept({ token, name: undefined, password: 'short' }),
        await accept({ token, password: 'short' }),
      ];
      const events = await readAuditEvents(service, { organizationId: owner.organizationId });
      outcomes.push({
        responses: responses.map(({ status, body }) => ({
          status,
          fields: Object.keys(body as object),
          ...problemOf(body),
        })),
        events: events
          .filter(({ actorEmail }) => actorEmail === guest)
          .map(({ action, actorId, targetId }) => ({ action, actorId, targetId })),
      });
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[0]?.responses.map(({ status }) => status)).toEqual([200, 401, 401, 400]);
    expect(outcomes[0]?.events).toHaveLength(2);
  });

  it('should return 404 for a wrong, used, withdrawn or expired token', async () => {
    const used = tokenOf(await invite());
    await accept({ token: used });
    const withdrawn = await invite({ email: `second-${email}` });
    await withdraw(invitationOf(withdrawn).id);
    for (const token of ['x', '\u0000', used, tokenOf(withdrawn)]) {
      const response = await preview(token);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'not-found' });
    }
    const late = await invite({ email: `third-${email}` });
    await service.query(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [
      invitationOf(late).id,
    ]);
    expect((await preview(tokenOf(late))).body).toMatchObject({ status: 404, code: 'invitation-expired' });
  });

  it('should not report a concurrently withdrawn invitation as expired', async () => {
    const { id } = invitationOf(await invite());
    const find = () =>
      service.app
        .get(OpenInvitationsService)
        .findById(id)
        .then(
          () => 'open',
          ({ code }: AppError) => code,
        );
    const finds = Array.from({ length: 40 }, find);
    await service.query('delete from invitations where id = $1', [id]);
    const codes = await Promise.all([...finds, find()]);
    expect(codes).toContain('not-found');
    expect(codes).not.toContain('invitation-expired');
  });

  it('should return 400 without a token', async () => {
    const response = await preview(undefined);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'token' }] });
  });

  it('should return 429 after fifty wrong tokens from an IP address, shared with accepting', async () => {
    const token = tokenOf(await invite());
    expect((await preview('x')).status).toBe(404);
    const { app, query } = service;
    const spend = () => app.get(RateLimitsService).spend('invitation by address', '127.0.0.1');
    await expect(Promise.all(Array.from({ length: 50 }, spend))).rejects.toMatchObject({ status: 429 });
    const responses = [await preview(token), await accept({ token })];
    await query(`delete from rate_limits where key like 'invitation by address:%'`);
    expect(responses.map(({ status }) => status)).toEqual([429, 429]);
    expect((await preview(token)).status).toBe(200);
  });
});
