import { requestToken } from '../../factories/service-accounts.js';
import { fieldOf, type Scenario, type Stage } from './scenario.js';

interface Account {
  id: string;
  clientSecret: string;
  path: string;
}

async function createRole({ request }: Stage, permissions: string[] = []): Promise<string> {
  return fieldOf(await request('POST /roles', { body: { name: 'Pipeline', permissions } }), 'id');
}

async function createAccount(stage: Stage, permissions?: string[]): Promise<Account> {
  const roleId = await createRole(stage, permissions);
  const created = await stage.request('POST /service-accounts', { body: { name: 'Deploy pipeline', roleId } });
  const id = fieldOf(created, 'id');
  return { id, clientSecret: fieldOf(created, 'clientSecret'), path: `/service-accounts/${id}` };
}

const rotate = ({ request }: Stage, { path }: Account) =>
  request(`POST ${path}/rotate`, { body: { gracePeriodSeconds: 60 } });

/** Deletes a service account, and disables or deletes the key it created. */
async function deleteWithKey(stage: Stage, keys: 'disable' | 'delete'): ReturnType<Scenario> {
  const account = await createAccount(stage, ['create-api-keys']);
  const token = fieldOf(await requestToken(stage.service, account), 'access_token');
  await stage.request('POST /api-keys', { token, body: { name: 'Search indexer' } });
  return () => stage.request(`DELETE ${account.path}?keys=${keys}`);
}

export const serviceAccountScenarios: Record<string, Scenario> = {
  'POST /service-accounts: service-account.create': async (stage) => {
    const roleId = await createRole(stage);
    return () => stage.request('POST /service-accounts', { body: { name: 'Deploy pipeline', roleId } });
  },
  'PATCH /service-accounts/:id: service-account.update': async (stage) => {
    const { path } = await createAccount(stage);
    return () => stage.request(`PATCH ${path}`, { body: { name: 'Renamed' } });
  },
  'POST /service-accounts/:id/rotate: service-account.rotate': async (stage) => {
    const account = await createAccount(stage);
    return () => rotate(stage, account);
  },
  'DELETE /service-accounts/:id/previous-secret: service-account.update': async (stage) => {
    const account = await createAccount(stage);
    await rotate(stage, account);
    return () => stage.request(`DELETE ${account.path}/previous-secret`);
  },
  'DELETE /service-accounts/:id: service-account.delete': async (stage) => {
    const { path } = await createAccount(stage);
    return () => stage.request(`DELETE ${path}`);
  },
  'DELETE /service-accounts/:id: api-key.update': (stage) => deleteWithKey(stage, 'disable'),
  'DELETE /service-accounts/:id: api-key.delete': (stage) => deleteWithKey(stage, 'delete'),
  'POST /auth/token: sign-in': async (stage) => {
    const account = await createAccount(stage);
    return () => requestToken(stage.service, account);
  },
  'POST /auth/token: sign-in-failed': async (stage) => {
    const account = await createAccount(stage);
    return () => requestToken(stage.service, { ...account, clientSecret: 'wrong' });
  },
};
