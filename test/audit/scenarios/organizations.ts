import type { CallResponse } from '../../setup/call.js';
import { fieldOf, password, type Scenario, setStage, type Stage, wrongPassword } from './scenario.js';

async function createRole({ request }: Stage, name = 'Auditor'): Promise<string> {
  const permissions = ['get-audit-events', 'create-api-keys'];
  return fieldOf(await request('POST /roles', { body: { name, permissions } }), 'id');
}

/** Invites an email, by default one without an account. */
async function invite(stage: Stage, email: string): Promise<CallResponse> {
  return stage.request('POST /members', { body: { email, roleId: await createRole(stage) } });
}

const newcomer = ({ organizationId }: Stage) => `${organizationId}@example.com`;
const tokenOf = (invitation: CallResponse) => fieldOf(invitation, 'link').split('#token=')[1];

/** Signs in a second member, and returns their access token. */
async function join(stage: Stage): Promise<string> {
  const body = { token: tokenOf(await invite(stage, newcomer(stage))), name: 'Ada', password };
  return fieldOf(await stage.request('POST /auth/accept-invitation', { body, token: undefined }), 'accessToken');
}

/** Returns the id of a second member. */
async function addMember(stage: Stage): Promise<string> {
  const email = newcomer(stage);
  await join(stage);
  return fieldOf(await stage.request(`GET /members?search=${encodeURIComponent(email)}`), 'members.0.id');
}

/** Removes a member, and disables or deletes the key they created. */
async function removeWithKey(stage: Stage, keys: 'disable' | 'delete'): ReturnType<Scenario> {
  const token = await join(stage);
  await stage.request('POST /api-keys', { token, body: { name: 'Search indexer' } });
  const search = encodeURIComponent(newcomer(stage));
  const id = fieldOf(await stage.request(`GET /members?search=${search}`), 'members.0.id');
  return () => stage.request(`DELETE /members/${id}?keys=${keys}`);
}

export const organizationScenarios: Record<string, Scenario> = {
  'POST /organizations: organization.create': ({ request }) =>
    Promise.resolve(() => request('POST /organizations', { body: { name: 'Research' } })),
  'PATCH /organizations/current: organization.update': ({ request }) =>
    Promise.resolve(() => request('PATCH /organizations/current', { body: { name: 'Renamed' } })),
  'DELETE /organizations/current: organization.delete': ({ request }) =>
    Promise.resolve(() => request('DELETE /organizations/current')),
  'POST /auth/switch-organization: organization.switch': async ({ request }) => {
    const organizationId = fieldOf(await request('POST /organizations', { body: { name: 'Research' } }), 'id');
    return () => request('POST /auth/switch-organization', { body: { organizationId } });
  },
  'POST /roles: role.create': ({ request }) =>
    Promise.resolve(() => request('POST /roles', { body: { name: 'Auditor', permissions: [] } })),
  'PATCH /roles/:id: role.update': async (stage) => {
    const id = await createRole(stage);
    return () => stage.request(`PATCH /roles/${id}`, { body: { name: 'Renamed' } });
  },
  'DELETE /roles/:id: role.delete': async (stage) => {
    const id = await createRole(stage);
    return () => stage.request(`DELETE /roles/${id}`);
  },
  'POST /members: invitation.create': async (stage) => {
    const roleId = await createRole(stage);
    return () => stage.request('POST /members', { body: { email: newcomer(stage), roleId } });
  },
  'DELETE /invitations/:id: invitation.delete': async (stage) => {
    const id = fieldOf(await invite(stage, newcomer(stage)), 'id');
    return () => stage.request(`DELETE /invitations/${id}`);
  },
  'POST /auth/accept-invitation: invitation.accept': async (stage) => {
    const body = { token: tokenOf(await invite(stage, newcomer(stage))), name: 'Ada', password };
    return () => stage.request('POST /auth/accept-invitation', { body, token: undefined });
  },
  'POST /auth/accept-invitation: sign-in-failed': async (stage) => {
    const { email } = await setStage(stage.service);
    const body = { token: tokenOf(await invite(stage, email)), password: wrongPassword };
    return () => stage.request('POST /auth/accept-invitation', { body, token: undefined });
  },
  'PATCH /members/:id: member.update': async (stage) => {
    const id = await addMember(stage);
    const roleId = await createRole(stage, 'Another');
    return () => stage.request(`PATCH /members/${id}`, { body: { roleId } });
  },
  'DELETE /members/me: member.delete': async (stage) => {
    const token = await join(stage);
    return () => stage.request('DELETE /members/me', { token });
  },
  'DELETE /members/:id: api-key.update': (stage) => removeWithKey(stage, 'disable'),
  'DELETE /members/:id: api-key.delete': (stage) => removeWithKey(stage, 'delete'),
  'DELETE /members/:id: member.delete': async (stage) => {
    const id = await addMember(stage);
    return () => stage.request(`DELETE /members/${id}`);
  },
};
