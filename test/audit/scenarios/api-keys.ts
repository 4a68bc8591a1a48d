import { fieldOf, type Scenario, type Stage } from './scenario.js';

async function createKey({ request }: Stage): Promise<string> {
  const { headers } = await request('POST /api-keys', { body: { name: 'Search indexer' } });
  return headers.get('location') ?? '';
}

const idOf = (location: string) => location.slice('/api-keys/'.length);

export const apiKeyScenarios: Record<string, Scenario> = {
  'POST /api-keys: api-key.create': ({ request }) =>
    Promise.resolve(() => request('POST /api-keys', { body: { name: 'Search indexer' } })),
  'PATCH /api-keys/:id: api-key.update': async (stage) => {
    const key = await createKey(stage);
    return () => stage.request(`PATCH ${key}`, { body: { name: 'Renamed' } });
  },
  'POST /api-keys/bulk-update: api-key.update': async (stage) => {
    const ids = [idOf(await createKey(stage))];
    return () => stage.request('POST /api-keys/bulk-update', { body: { ids, enabled: false } });
  },
  'POST /api-keys/bulk-delete: api-key.delete': async (stage) => {
    const ids = [idOf(await createKey(stage))];
    return () => stage.request('POST /api-keys/bulk-delete', { body: { ids } });
  },
  'POST /api-keys/bulk-rotate: api-key.rotate': async (stage) => {
    const ids = [idOf(await createKey(stage))];
    return () => stage.request('POST /api-keys/bulk-rotate', { body: { ids, gracePeriodSeconds: 0 } });
  },
  'POST /api-keys/:id/rotate: api-key.rotate': async (stage) => {
    const key = await createKey(stage);
    return () => stage.request(`POST ${key}/rotate`, { body: { gracePeriodSeconds: 60 } });
  },
  'DELETE /api-keys/:id/previous-secret: api-key.update': async (stage) => {
    const key = await createKey(stage);
    await stage.request(`POST ${key}/rotate`, { body: { gracePeriodSeconds: 60 } });
    return () => stage.request(`DELETE ${key}/previous-secret`);
  },
  'POST /api-keys/:id/report-leak: api-key.leak': async (stage) => {
    const key = await createKey(stage);
    return () => stage.request(`POST ${key}/report-leak`);
  },
  'POST /leaked-keys: api-key.leak': async ({ request }) => {
    const token = fieldOf(await request('POST /api-keys', { body: { name: 'Search indexer' } }), 'key');
    return () => request('POST /leaked-keys', { token: undefined, body: [{ token }] });
  },
  'DELETE /api-keys/:id: api-key.delete': async (stage) => {
    const key = await createKey(stage);
    return () => stage.request(`DELETE ${key}`);
  },
};
