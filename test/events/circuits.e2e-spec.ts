import { createMember } from '../factories/organizations.js';
import { useGateway } from '../setup/gateway.js';
import {
  respondWithEmbeddings,
  respondWithJson,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';
import { createWebhook } from '../webhooks/webhook-app.js';
import { readEvents } from './read-events.js';

let upstream: Upstream;
const gateway = useGateway(async () => {
  upstream = await startUpstream();
  return [upstreamModel([upstream], { id: 'failing' })];
});
afterAll(() => upstream.stop());

const embed = () => gateway.embed({ model: 'failing', input: 'a' });

describe('A circuit', () => {
  it('should be published once when it opens and once when it closes, to organizations with a webhook for it', async () => {
    const url = 'https://example.com/webhooks';
    const [interested, indifferent, without] = await Promise.all([1, 2, 3].map(() => createMember(gateway)));
    if (interested === undefined || indifferent === undefined || without === undefined) throw new Error('No member.');
    await createWebhook(gateway, interested, { url, enabled: true });
    await createWebhook(gateway, interested, { url, enabled: true });
    await createWebhook(gateway, indifferent, { url, eventTypes: ['role.created'] });
    const published = (organizationId: string) => readEvents(gateway, organizationId);

    upstream.respond = (response) => respondWithJson(response, 500, '{}');
    for (let count = 0; count < 7; count++) await embed();
    await waitFor(async () => (await published(interested.organizationId)).length === 1);
    upstream.respond = respondWithEmbeddings();
    await waitFor(async () => (await embed()).status === 200);
    await waitFor(async () => (await published(interested.organizationId)).length === 2);

    const data = {
      actor: { kind: 'system' },
      upstream: { host: new URL(upstream.baseUrl).host, model: 'remote-small' },
      replica: expect.stringContaining(`:${process.pid}`) as string,
    };
    expect(await published(interested.organizationId)).toMatchObject([
      { type: 'upstream.circuit_opened', data },
      { type: 'upstream.circuit_closed', data },
    ]);
    expect(await published(indifferent.organizationId)).toEqual([]);
    expect(await published(without.organizationId)).toEqual([]);
  });
});
