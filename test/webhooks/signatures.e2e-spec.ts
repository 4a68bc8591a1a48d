import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import type { WebhookSecretDto } from '../../src/webhooks/dto/webhook.dto.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { type ReceivedRequest, useReceiver } from './receiver.js';
import { createWebhook, webhookConfig } from './webhook-app.js';

const service = useTestApp({ config: webhookConfig() });
const receiver = useReceiver();
let owner: Member;
let webhook: WebhookSecretDto;

beforeEach(async () => {
  owner = await createMember(service);
  webhook = await createWebhook(service, owner, { url: receiver.url() });
});

async function receive(): Promise<ReceivedRequest> {
  const count = receiver.requests.length;
  await call(service.url, `POST /webhooks/${webhook.id}/test`, { token: owner.token });
  await waitFor(() => receiver.requests.length > count);
  const request = receiver.requests.at(-1);
  if (request === undefined) throw new Error('Nothing arrived.');
  return request;
}

async function rotate(gracePeriodSeconds?: number): Promise<string> {
  const body = { ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) };
  const response = await call(service.url, `POST /webhooks/${webhook.id}/rotate`, { token: owner.token, body });
  return (response.body as WebhookSecretDto).secret;
}

const verify = (secret: string, { body, headers }: ReceivedRequest) => new Webhook(secret).verify(body, headers);

/** Runs a Python program on a request, with the secret as its argument; undefined if it can't run here. */
function runPython(program: string, secret: string, { body, headers }: ReceivedRequest) {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program, secret], {
    input: JSON.stringify({ body, headers }),
    encoding: 'utf8',
  });
  if (status === null || stderr.includes('ModuleNotFoundError')) return undefined;
  return { status, stdout, stderr };
}

const official = `
import json, sys
from standardwebhooks import Webhook
request = json.load(sys.stdin)
print(Webhook(sys.argv[1]).verify(request["body"], request["headers"])["type"])
`;

/** The sample of the documentation, whose only package is Python's own library. */
const documented = /^```python\n(.*?)^```/ms.exec(readFileSync('docs/webhooks.md', 'utf8'))?.[1] ?? '';
const runDocumented = `${documented}
import sys
request = json.load(sys.stdin)
print(verify(sys.argv[1], request["headers"], request["body"].encode())["type"])
`;

describe('A delivery', () => {
  it('should be verified by the official library for JavaScript', async () => {
    const request = await receive();
    expect(verify(webhook.secret, request)).toEqual(request.event);
  });

  it('should not be verified with another secret, body, id or time', async () => {
    const request = await receive();
    const { headers, body } = request;
    const forgeries: [string, ReceivedRequest][] = [
      [`whsec_${Buffer.alloc(32).toString('base64')}`, request],
      [webhook.secret, { ...request, body: body.replace('test', 'text') }],
      [webhook.secret, { ...request, headers: { ...headers, 'webhook-id': 'other' } }],
      [webhook.secret, { ...request, headers: { ...headers, 'webhook-timestamp': String(Date.now() / 1000 - 600) } }],
    ];
    for (const [secret, forged] of forgeries) expect(() => verify(secret, forged)).toThrow();
  });

  it('should be verified by the official library for Python, if it is installed', async () => {
    const result = runPython(official, webhook.secret, await receive());
    if (result !== undefined) expect(result).toEqual({ status: 0, stdout: 'webhook.test\n', stderr: '' });
  });

  it('should be verified by the documented Python code, and a forgery should not', async () => {
    const request = await receive();
    const result = runPython(runDocumented, webhook.secret, request);
    if (result === undefined) return;
    expect(result).toEqual({ status: 0, stdout: 'webhook.test\n', stderr: '' });
    const forged = { ...request, body: request.body.replace('test', 'text') };
    expect(runPython(runDocumented, webhook.secret, forged)?.status).toBe(1);
  });

  it('should be signed with the previous secret too for a day after a rotation', async () => {
    const next = await rotate();
    expect(next).not.toBe(webhook.secret);
    const request = await receive();
    expect(verify(next, request)).toEqual(request.event);
    expect(verify(webhook.secret, request)).toEqual(request.event);
    await service.query(`update webhooks set previous_secret_expires_at = now() where id = $1`, [webhook.id]);
    const later = await receive();
    expect(verify(next, later)).toEqual(later.event);
    expect(() => verify(webhook.secret, later)).toThrow();
  });

  it('should be signed with the new secret only after a rotation without grace period', async () => {
    const next = await rotate(0);
    const request = await receive();
    expect(verify(next, request)).toEqual(request.event);
    expect(() => verify(webhook.secret, request)).toThrow();
  });
});
