import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createMember } from '../factories/organizations.js';
import type { TestApp } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';

/** Sends an invitation with these headers. fetch can't set `Host`. */
async function inviteAt(service: TestApp, headers: Record<string, string>) {
  const { token, roleId } = await createMember(service);
  const outgoing = request(`${service.url}/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  outgoing.end(JSON.stringify({ email: 'ada@example.com', roleId }));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, link: ((await json(response)) as CreatedInvitationDto).link };
}

describe('An invitation link', () => {
  describe('without PUBLIC_URL', () => {
    const service = useTestApp();

    it.each(['keycard.example.com', 'keycard.example.com:8443', '[::1]:3000', 'LOCALHOST:80'])(
      "should start with the request's host: %s",
      async (host) => {
        const { link } = await inviteAt(service, { host });
        expect(link).toMatch(`http://${host}/accept-invitation#token=`);
      },
    );

    it.each([
      'example.com/path',
      'user@example.com',
      'example.com#',
      'exam ple.com',
      ':80',
      'a:b',
      'a:99999',
      '[:::]',
      '1.2.3.4.5',
    ])('should not be created for an invalid Host header: %s', async (host) => {
      expect(await inviteAt(service, { host })).toEqual({ status: 400, link: undefined });
    });

    it('should ignore forwarded headers from an untrusted client', async () => {
      const headers = {
        host: 'keycard.example.com',
        'x-forwarded-host': 'evil.example.com',
        'x-forwarded-proto': 'ftp',
      };
      expect((await inviteAt(service, headers)).link).toMatch(/^http:\/\/keycard\.example\.com\//);
    });
  });

  describe('with PUBLIC_URL', () => {
    const service = useTestApp({ config: { publicUrl: 'https://keycard.example.com' } });

    it("should start with it, regardless of the request's host", async () => {
      const { link } = await inviteAt(service, { host: 'evil.example.com' });
      expect(link).toMatch(/^https:\/\/keycard\.example\.com\/accept-invitation#token=[\w-]{43}$/);
    });
  });
});
