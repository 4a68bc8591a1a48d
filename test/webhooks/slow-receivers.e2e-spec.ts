import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Webhook } from '../../src/webhooks/webhook.entity.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { type Receiver, respondWith, useReceiver } from './receiver.js';
import { createRole, createWebhook, webhookConfig } from './webhook-app.js';

const organizationCount = 10;
const quickEach = 20;
const changes = ['First', 'Second', 'Third'];
/** An attempt doesn't time out before the test ends. */
const patient = { timeoutSeconds: 600, leaseSeconds: 700 };
/** More hang than quick ones are delivered at a time. */
const crowded = { ...patient, maxQuick: 4, maxSlow: 12, slowMilliseconds: 50 };

let upstream: Upstream;
const service = useTestApp(async () => {
  upstream = await startUpstream();
  return { config: { ...webhookConfig(crowded), models: [upstreamModel([upstream])] } };
});
afterAll(() => upstream.stop());
const quick = useReceiver();
const hanging = useReceiver();
/** What the hanging receiver hasn't responded to. */
let open: ServerResponse[];

beforeEach(() => {
  open = [];
  hanging.respond = (_request, response) => void open.push(response);
});

const isStillOpen = ({ destroyed, writableEnded }: ServerResponse) => !destroyed && !writableEnded;

/** Responds to what is open and to later requests. */
function release(): void {
  hanging.respond = respondWith(204);
  for (const response of open) response.writeHead(204).end();
}

/** Adds one webhook that hangs and many that don't. */
async function addWebhooks({ organizationId }: Member): Promise<void> {
  const urls = [hanging.url(`/${organizationId}`)];
  for (let number = 0; number < quickEach; number++) urls.push(quick.url(`/${organizationId}/${number}`));
  const rows = urls.map((url) => ({ id: uuidv7(), organizationId, url, secret: randomBytes(32) }));
  await service.app.get(DataSource).manager.insert(Webhook, rows);
}

/** The names of the created roles, by path. */
function namesByPath({ requests }: Receiver): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { path, event } of requests) {
    names.set(path, [...(names.get(path) ?? []), (event.data['role'] as { name: string }).name]);
  }
  return names;
}

describe('Webhooks that respond', () => {
  it('should get all events in order while more others hang than are delivered at a time', async () => {
    const members: Member[] = [];
    for (let index = 0; index < organizationCount; index++) {
      const member = await createMember(service);
      await addWebhooks(member);
      members.push(member);
    }
    for (const name of changes) for (const member of members) await createRole(service, member, name);

    const quickCount = organizationCount * quickEach;
    await waitFor(() => quick.requests.length >= quickCount * changes.length);
    expect(open).toHaveLength(organizationCount);
    expect(open.every(isStillOpen)).toBe(true);
    const received = namesByPath(quick);
    expect(received.size).toBe(quickCount);
    for (const names of received.values()) expect(names).toEqual(changes);

    release();
    await waitFor(() => hanging.requests.length >= organizationCount * changes.length);
    for (const names of namesByPath(hanging).values()) expect(names).toEqual(changes);
  });
});

describe('A receiver that never responds', () => {
  it('should not hold up changes, lists and requests of its organization to a model', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    await createWebhook(service, member, { url: hanging.url() });
    await createRole(service, member, 'Held');
    await waitFor(() => open.length > 0);

    const embeddings = { token: key, body: { model: 'small', input: 'A text.' } };
    for (let count = 0; count < 10; count++) {
      await createRole(service, member, `Role ${count}`);
      expect((await call(service.url, 'GET /roles', { token: member.token })).status).toBe(200);
      expect((await call(service.url, 'POST /v1/embeddings', embeddings)).status).toBe(200);
    }
    expect(open).toHaveLength(1);
    expect(open.every(isStillOpen)).toBe(true);
    release();
    await waitFor(() => hanging.requests.length > 10);
  });
});
