import { createMember } from '../factories/organizations.js';
import { runReplica } from '../start/replica.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { respondWith, stayingSilent, useReceiver } from './receiver.js';
import { createRole, createWebhook, listDeliveries, webhookConfig } from './webhook-app.js';

// It never looks for deliveries, so the replicas do.
const service = useTestApp({ config: webhookConfig({ pollMilliseconds: 3_600_000 }) });
const receiver = useReceiver();

describe('A replica that is killed while it delivers', () => {
  it('should be replaced by another one within 30 seconds, without losing an event', async () => {
    const owner = await createMember(service);
    const environment = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const first = runReplica(service, environment);
    await first.ready;
    receiver.respond = stayingSilent;
    const { id } = await createWebhook(service, owner, { url: receiver.url() });
    for (const name of ['First', 'Second', 'Third']) await createRole(service, owner, name);
    await waitFor(() => receiver.requests.length === 1);
    const second = runReplica(service, environment);
    await second.ready;
    first.child.kill('SIGKILL');
    await first.exited;
    const killedAt = performance.now();
    receiver.respond = respondWith(204);
    await waitFor(() => receiver.requests.length === 4);
    expect((receiver.requests[1]?.at ?? NaN) - killedAt).toBeLessThan(30_000);
    const roles = receiver.requests.map(({ event }) => event.data['role']);
    expect(roles).toMatchObject([{ name: 'First' }, { name: 'First' }, { name: 'Second' }, { name: 'Third' }]);
    await waitFor(async () => (await listDeliveries(service, owner, id)).every(({ status }) => status === 'succeeded'));
    second.child.kill('SIGTERM');
    await second.exited;
  });
});
