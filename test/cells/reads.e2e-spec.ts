import { createServiceAccount } from '../factories/service-accounts.js';
import { addMembership, createMember, type Member, openSession } from '../factories/organizations.js';
import { call, type CallResponse } from '../setup/call.js';
import { withRefreshToken } from '../setup/cookies.js';
import { useStarted } from '../setup/use-test-app.js';
import { type Cells, killMoveAt, startCells, targetUrl } from './cells.js';

const cells: Cells = useStarted(startCells);
let member: Member;
let program: string;

beforeAll(() => void process.setMaxListeners(100));
beforeEach(async () => {
  const { source } = cells;
  member = await createMember(source);
  const { id, clientSecret } = await createServiceAccount(source, member);
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: clientSecret });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await call(source.url, 'POST /auth/token', { rawBody: form.toString(), headers });
  program = (body as { access_token: string }).access_token;
});

/** Reads of a member and of a service account. */
const read = () =>
  Promise.all([member.token, program].map((token) => call(cells.source.url, 'GET /api-keys', { token })));

const moving = { status: 503, body: { code: 'organization-moving' } };
const moved = {
  status: 401,
  body: { code: 'invalid-credential', detail: `The organization has moved to ${targetUrl}. Sign in there.` },
};

const noteBaseUrl = () =>
  cells.source.query('update organization_moves set base_url = $2 where organization_id = $1', [
    member.organizationId,
    targetUrl,
  ]);

describe('Reads of an organization in the source', () => {
  it('should be served until the target may serve it', async () => {
    for (const step of ['keys', 'closed', 'copied']) {
      await killMoveAt(cells, member.organizationId, step);
      expect((await read()).map(({ status }: CallResponse) => status)).toEqual([200, 200]);
    }
  });

  it.each(['activating', 'activated'])('should get 503 while the target may serve it, at the step %s', async (step) => {
    await killMoveAt(cells, member.organizationId, step);
    expect(await read()).toMatchObject([moving, moving]);
  });

  it.each(['draining', 'counters', 'finished'])(
    'should be refused with the new base URL at the step %s',
    async (step) => {
      await killMoveAt(cells, member.organizationId, step);
      await noteBaseUrl();
      expect(await read()).toMatchObject([moved, moved]);
    },
  );

  it('should be refused with the new base URL after the move', async () => {
    await cells.move(member.organizationId, '--base-url', targetUrl);
    expect(await read()).toMatchObject([moved, moved]);
  });

  it("should not get in the way of a member's other organizations", async () => {
    const other = await createMember(cells.source);
    await addMembership(cells.source, { userId: member.userId, organizationId: other.organizationId });
    const { refreshToken } = await openSession(cells.source, member);
    await killMoveAt(cells, member.organizationId, 'draining');
    const { status, body } = await call(cells.source.url, 'POST /auth/refresh', {
      headers: withRefreshToken(refreshToken),
    });
    expect(status).toBe(200);
    const { accessToken: token } = body as { accessToken: string };
    expect(await call(cells.source.url, 'GET /auth/me', { token })).toMatchObject({
      status: 200,
      body: { organization: { id: other.organizationId } },
    });
  });
});
