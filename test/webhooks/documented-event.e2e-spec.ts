import { readBlocks } from '../documented-commands/read-blocks.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { useReceiver } from './receiver.js';
import { createWebhook, webhookConfig } from './webhook-app.js';

const service = useTestApp({ config: webhookConfig() });
const receiver = useReceiver();

/** The names of all fields and the types of their values. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

describe('The event in docs/webhooks.md', () => {
  it('should have the fields that receivers get, in their order', async () => {
    const member = await createMember(service);
    await createWebhook(service, member, { url: receiver.url() });
    const body = { name: 'Search indexer' };
    expect((await call(service.url, 'POST /api-keys', { token: member.token, body })).status).toBe(201);
    await waitFor(() => receiver.requests.length > 0);
    const [received] = receiver.requests;
    const [documented] = readBlocks('docs/webhooks.md').filter(({ language }) => language === 'json');
    const example = JSON.parse(documented?.text ?? '') as { type: string };
    expect(example.type).toBe(received?.event.type);
    expect(JSON.stringify(shapeOf(example))).toBe(JSON.stringify(shapeOf(received?.event)));
  });
});
