import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';
import { oidcSettings } from './oidc-settings.js';
import { TestProvider } from './test-provider.js';

const spoofed = {
  host: 'evil.example.com',
  'x-forwarded-host': 'evil.example.com:8443',
  'x-forwarded-proto': 'http',
};
const provider = new TestProvider();

beforeAll(() => provider.start());
afterAll(() => provider.stop());

/** Sends a request with headers that fetch forbids. */
async function send({ url }: TestApp, path: string, headers: Record<string, string>, body?: object) {
  const outgoing = request(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
  });
  outgoing.end(body && JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

const redirectUriOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('redirect_uri');

async function startSignIn(service: TestApp, headers: Record<string, string>) {
  const response = await send(service, '/auth/oidc/start', headers);
  await text(response);
  return redirectUriOf(response.headers.location);
}

describe('The OIDC callback URL', () => {
  describe('with PUBLIC_URL', () => {
    const service = useTestApp(() => ({
      config: { oidc: oidcSettings(provider), publicUrl: 'https://keycard.test', trustProxy: true },
    }));

    it('should start with it, regardless of request headers', async () => {
      expect(await startSignIn(service, spoofed)).toBe('https://keycard.test/auth/oidc/callback');
    });

    it('should start with it for invitations, too', async () => {
      const { token, roleId } = await createMember(service);
      const body = { email: 'ada@example.com', roleId };
      const { link } = (await call(service.url, 'POST /members', { token, body })).body as CreatedInvitationDto;
      const invitation = { token: link.split('#token=')[1] };
      const response = await send(service, '/auth/oidc/start-invitation', spoofed, invitation);
      const { url } = (await json(response)) as { url: string };
      expect(redirectUriOf(url)).toBe('https://keycard.test/auth/oidc/callback');
    });
  });

  describe('without PUBLIC_URL', () => {
    const service = useTestApp(() => ({ config: { oidc: oidcSettings(provider) } }));

    it('should follow the Host header but not an untrusted proxy', async () => {
      const headers = { ...spoofed, host: 'keycard.example.com' };
      expect(await startSignIn(service, headers)).toBe('http://keycard.example.com/auth/oidc/callback');
    });

    it.each(['user@example.com', 'example.com/path', 'a:b'])(
      'should not be built from an invalid Host header: %s',
      async (host) => {
        const response = await send(service, '/auth/oidc/start', { host });
        expect([response.statusCode, await json(response)]).toMatchObject([400, { code: 'malformed-request' }]);
      },
    );
  });
});
