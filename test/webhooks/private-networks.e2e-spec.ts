import { Resolver } from 'node:dns/promises';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { Receiver, useReceiver } from './receiver.js';
import { createWebhook, listDeliveries } from './webhook-app.js';

const options = { webhooks: { pollMilliseconds: 20 } };
const closed = useTestApp({ config: options });
const open = useTestApp({ config: { ...options, webhookAllowedNetworks: ['127.0.0.1', 'fd00::/8'] } });
const receiver = useReceiver();

/** Has all names lead to these addresses. */
const resolveTo = (...addresses: string[]) => {
  jest.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue(addresses);
  jest.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue([]);
};

async function testWebhook(service: typeof open, owner: Member, url: string) {
  const { id } = await createWebhook(service, owner, { url });
  await call(service.url, `POST /webhooks/${id}/test`, { token: owner.token });
  await waitFor(async () => (await listDeliveries(service, owner, id)).some(({ status }) => status !== 'waiting'));
  return (await listDeliveries(service, owner, id))[0];
}

const failedWith = (error: string) => ({ status: 'failed', attempts: [{ status: null, error, response: null }] });
const unreachable = failedWith('The host name is unknown, or its IP address is not allowed.');

describe('A webhook whose name leads to a private address', () => {
  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1'])('should not connect to %s', async (address) => {
    const owner = await createMember(closed);
    resolveTo(address);
    const url = `https://receiver.example.com:${receiver.port}/`;
    expect(await testWebhook(closed, owner, url)).toMatchObject(unreachable);
    expect(receiver.requests).toEqual([]);
  });

  it('should not connect to its public addresses either', async () => {
    const owner = await createMember(closed);
    resolveTo('93.184.215.14', '127.0.0.1');
    expect(await testWebhook(closed, owner, 'https://receiver.example.com/')).toMatchObject(unreachable);
  });

  it('should look the same if the name has no address, or is unknown', async () => {
    const owner = await createMember(closed);
    resolveTo();
    expect(await testWebhook(closed, owner, 'https://receiver.example.com/')).toMatchObject(unreachable);
    const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    jest.spyOn(Resolver.prototype, 'resolve4').mockRejectedValue(unknown);
    jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(unknown);
    expect(await testWebhook(closed, owner, 'https://receiver.example.com/')).toMatchObject(unreachable);
  });
});

describe('WEBHOOK_ALLOWED_NETWORKS', () => {
  it('should tell a server that refuses connections from a forbidden address', async () => {
    const owner = await createMember(open);
    const stopped = await new Receiver().start();
    const { port } = stopped;
    await stopped.stop();
    expect(await testWebhook(open, owner, `http://127.0.0.1:${port}/`)).toMatchObject(
      failedWith('The server does not respond.'),
    );
  });

  it('should allow http to its networks, by name and by address', async () => {
    const owner = await createMember(open);
    expect(await testWebhook(open, owner, receiver.url())).toMatchObject({ status: 'succeeded' });
    resolveTo('127.0.0.1');
    const named = `http://receiver.internal:${receiver.port}/`;
    expect(await testWebhook(open, owner, named)).toMatchObject({ status: 'succeeded' });
    expect(receiver.requests.map(({ headers }) => headers['host'])).toEqual([
      `127.0.0.1:${receiver.port}`,
      `receiver.internal:${receiver.port}`,
    ]);
  });

  it('should allow neither http to public addresses, nor other private networks', async () => {
    const owner = await createMember(open);
    for (const url of ['http://93.184.215.14/', 'https://10.0.0.1/', 'https://127.0.0.2/', 'http://[fe80::1]/']) {
      const response = await call(open.url, 'POST /webhooks', { token: owner.token, body: { url } });
      expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'url' }] } });
    }
    resolveTo('93.184.215.14');
    expect(await testWebhook(open, owner, 'http://receiver.example.com/')).toMatchObject(unreachable);
  });
});
