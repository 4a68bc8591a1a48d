import { SessionsService } from '../../../src/auth/sessions/sessions.service.js';
import { client, TestProvider } from '../../oidc/test-provider.js';
import { createResetToken } from '../../factories/reset-tokens.js';
import { type CallResponse, call } from '../../setup/call.js';
import { waitFor } from '../../setup/wait-for.js';
import { fieldOf, password, type Scenario, signIn, type Stage, wrongPassword } from './scenario.js';

/** The service's identity provider. */
export const identityProvider = new TestProvider();

const newPassword = `${password}, changed`;

const cookieOf = ({ headers }: CallResponse) => headers.get('set-cookie')?.split(';')[0] ?? '';

/** Ends all other sessions and signs in again. */
async function openOneOther({ service, email, request }: Stage): Promise<void> {
  await request('DELETE /auth/sessions');
  await signIn(service, email);
}

const changePassword = ({ request }: Stage) =>
  request('POST /auth/change-password', { body: { currentPassword: password, newPassword } });

async function resetPassword({ service, email, request }: Stage): Promise<() => Promise<CallResponse>> {
  await request('DELETE /auth/sessions');
  const token = await createResetToken(service, email);
  return () => call(service.url, 'POST /auth/reset-password', { body: { token, newPassword } });
}

export const signInScenarios: Record<string, Scenario> = {
  'POST /auth/sign-in: sign-in': ({ service, email }) => Promise.resolve(() => signIn(service, email)),
  'POST /auth/sign-in: sign-in-failed': ({ service, email }) =>
    Promise.resolve(() => signIn(service, email, wrongPassword)),
  'POST /auth/sign-in: sign-in-blocked': async ({ service, email }) => {
    for (let attempt = 0; attempt < 10; attempt++) await signIn(service, email, wrongPassword);
    return () => signIn(service, email, wrongPassword);
  },
  'POST /auth/sign-out: sign-out': ({ request }) => Promise.resolve(() => request('POST /auth/sign-out')),
  'POST /auth/refresh: session.reuse': async ({ service, email, request }) => {
    const headers = { cookie: cookieOf(await signIn(service, email)) };
    const refresh = () => request('POST /auth/refresh', { headers, token: undefined });
    const next = { cookie: cookieOf(await refresh()) };
    // Using the successor rules out that a client merely lost its response.
    await request('POST /auth/refresh', { headers: next, token: undefined });
    return refresh;
  },
  'DELETE /auth/sessions/:id: session.end': async (stage) => {
    await openOneOther(stage);
    const id = fieldOf(await stage.request('GET /auth/sessions'), 'sessions.0.id');
    return () => stage.request(`DELETE /auth/sessions/${id}`);
  },
  'DELETE /auth/sessions: session.end': async (stage) => {
    await openOneOther(stage);
    return () => stage.request('DELETE /auth/sessions');
  },
  'POST /auth/oidc/backchannel-logout: session.logout': async ({ service, email, organizationId }) => {
    const [user] = await service.query<{ id: string }>('select id from users where email = $1', [email]);
    const { issuer } = identityProvider;
    const origin = { address: '127.0.0.1', userAgent: undefined };
    const sid = `session of ${email}`;
    await service.app
      .get(SessionsService)
      .open({ userId: user?.id ?? '', organizationId, origin, provider: { issuer, sessionId: sid } });
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const claims = { aud: client.id, sid, jti: sid, events };
    const logout_token = await identityProvider.sign(claims, { typ: 'logout+jwt' });
    return () =>
      call(service.url, 'POST /auth/oidc/backchannel-logout', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        rawBody: new URLSearchParams({ logout_token }).toString(),
      });
  },
  'PATCH /auth/me: account.update': ({ request }) =>
    Promise.resolve(() => request('PATCH /auth/me', { body: { name: 'Ada Lovelace' } })),
  'POST /auth/change-password: password.change': (stage) => Promise.resolve(() => changePassword(stage)),
  'POST /auth/request-password-reset: password.reset-request': ({ service, email }) =>
    Promise.resolve(async () => {
      const response = await call(service.url, 'POST /auth/request-password-reset', { body: { email } });
      const select = `select from audit_events where action = 'password.reset-request' and actor_email = $1`;
      await waitFor(async () => (await service.query(select, [email])).length > 0);
      return response;
    }),
  'POST /auth/reset-password: password.reset': resetPassword,
  'POST /auth/reset-password: session.end': resetPassword,
  'POST /auth/change-password: session.end': async (stage) => {
    await openOneOther(stage);
    return () => changePassword(stage);
  },
};
