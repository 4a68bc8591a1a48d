import type { WebhookOptions } from '../../src/config/webhook-options.js';
import type { WebhookDeliveryDto, WebhookDeliveryListDto } from '../../src/webhooks/dto/delivery.dto.js';
import type { WebhookSecretDto } from '../../src/webhooks/dto/webhook.dto.js';
import type { Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';

/** Webhooks may be on this machine, and are looked for often. */
export const webhookConfig = (options: Partial<WebhookOptions> = {}) => ({
  webhookAllowedNetworks: ['127.0.0.0/8'],
  webhooks: { pollMilliseconds: 20, ...options },
});

/** Creates a webhook through the API. */
export async function createWebhook(
  { url }: Pick<TestApp, 'url'>,
  { token }: Pick<Member, 'token'>,
  body: { url: string; eventTypes?: string[] | null; enabled?: boolean },
): Promise<WebhookSecretDto> {
  const response = await call(url, 'POST /webhooks', { token, body });
  if (response.status !== 201) throw new Error(`The webhook was not created: ${response.text}`);
  return response.body as WebhookSecretDto;
}

/** The deliveries of a webhook, newest first. */
export async function listDeliveries(
  { url }: Pick<TestApp, 'url'>,
  { token }: Pick<Member, 'token'>,
  id: string,
  query = '?perPage=100',
): Promise<WebhookDeliveryDto[]> {
  const response = await call(url, `GET /webhooks/${id}/deliveries${query}`, { token });
  return (response.body as WebhookDeliveryListDto).deliveries;
}

/** Changes something, which publishes an event of type `role.created`. */
export async function createRole({ url }: Pick<TestApp, 'url'>, { token }: Pick<Member, 'token'>, name: string) {
  const response = await call(url, 'POST /roles', { token, body: { name, permissions: [] } });
  if (response.status !== 201) throw new Error(`The role was not created: ${response.text}`);
}
