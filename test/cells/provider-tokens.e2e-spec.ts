import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { runAdmin } from '../setup/run-admin.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import { toUrl } from '../setup/test-database.js';
import { useTestApp } from '../setup/use-test-app.js';
import { targetUrl } from './cells.js';

const { provider, service: source } = useSingleSignOn();
const target = useTestApp();

beforeAll(() => void process.setMaxListeners(100));

describe('An access token of the identity provider', () => {
  it('should be refused with the new base URL after its organization has moved', async () => {
    const { organizationId } = await createMember(source);
    await source.query(`update roles set name = 'Viewer' where organization_id = $1`, [organizationId]);
    const token = await provider.issueAccessToken(provider.meet({ organization: organizationId, roles: ['Viewer'] }));
    const me = () => call(source.url, 'GET /auth/me', { token });
    expect((await me()).status).toBe(200);
    const command = ['move-organization', organizationId, '--to', toUrl(target.database), '--base-url', targetUrl];
    await runAdmin(source.database, ...command, '--drain-seconds', '0');
    expect(await me()).toMatchObject({
      status: 401,
      body: { code: 'invalid-credential', detail: `The organization has moved to ${targetUrl}. Sign in there.` },
    });
  });
});
