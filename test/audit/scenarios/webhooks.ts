import { fieldOf, type Scenario, type Stage } from './scenario.js';

/** Returns the path of a new webhook. */
async function createWebhook({ request }: Stage): Promise<string> {
  const body = { url: 'https://example.com/webhooks' };
  return `/webhooks/${fieldOf(await request('POST /webhooks', { body }), 'id')}`;
}

export const webhookScenarios: Record<string, Scenario> = {
  'POST /webhooks: webhook.create': ({ request }) =>
    Promise.resolve(() => request('POST /webhooks', { body: { url: 'https://example.com/webhooks' } })),
  'PATCH /webhooks/:id: webhook.update': async (stage) => {
    const path = await createWebhook(stage);
    return () => stage.request(`PATCH ${path}`, { body: { enabled: false } });
  },
  'POST /webhooks/:id/rotate: webhook.rotate': async (stage) => {
    const path = await createWebhook(stage);
    return () => stage.request(`POST ${path}/rotate`, { body: {} });
  },
  'POST /webhooks/:id/test: webhook.test': async (stage) => {
    const path = await createWebhook(stage);
    return () => stage.request(`POST ${path}/test`);
  },
  'POST /webhooks/:id/deliveries/:deliveryId/redeliver: webhook.redeliver': async (stage) => {
    const path = await createWebhook(stage);
    const deliveryId = fieldOf(await stage.request(`POST ${path}/test`), 'id');
    return () => stage.request(`POST ${path}/deliveries/${deliveryId}/redeliver`);
  },
  'DELETE /webhooks/:id: webhook.delete': async (stage) => {
    const path = await createWebhook(stage);
    return () => stage.request(`DELETE ${path}`);
  },
};
