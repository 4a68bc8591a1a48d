import type { Answer } from '../../setup/call.js';
import { fieldOf, password, type Scenario, signIn, type Stage, wrongPassword } from './scenario.js';

const newPassword = `${password}, changed`;

const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';

/** Signs in once more; any other session ends before. */
async function openOneOther({ service, email, request }: Stage): Promise<void> {
  await request('DELETE /auth/sessions');
  await signIn(service, email);
}

const changePassword = ({ request }: Stage) =>
  request('POST /auth/change-password', { body: { currentPassword: password, newPassword } });

export const signInScenarios: Record<string, Scenario> = {
  'POST /auth/sign-in: sign-in': ({ service, email }) => Promise.resolve(() => signIn(service, email)),
  'POST /auth/sign-in: sign-in-failed': ({ service, email }) =>
    Promise.resolve(() => signIn(service, email, wrongPassword)),
  'POST /auth/sign-out: sign-out': ({ request }) => Promise.resolve(() => request('POST /auth/sign-out')),
  'POST /auth/refresh: session.reuse': async ({ service, email, request }) => {
    const headers = { cookie: cookieOf(await signIn(service, email)) };
    const refresh = () => request('POST /auth/refresh', { headers, token: undefined });
    const next = { cookie: cookieOf(await refresh()) };
    // The successor is used, so that the first cookie cannot be that of a client whose answer got lost.
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
  'POST /auth/change-password: password.change': (stage) => Promise.resolve(() => changePassword(stage)),
  'POST /auth/change-password: session.end': async (stage) => {
    await openOneOther(stage);
    return () => changePassword(stage);
  },
};
