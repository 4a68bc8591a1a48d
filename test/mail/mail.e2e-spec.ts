import { DataSource } from 'typeorm';
import { publish } from '../../src/events/publish.js';
import { hashPassword } from '../../src/auth/password.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { MailServer, mailSettings, tokenIn } from './mail-server.js';

const server = new MailServer();
const replicas = useReplicas(async () => {
  await server.start();
  return { config: mailSettings(server.url) };
});
const [service] = replicas;
afterAll(() => server.stop());

const password = 'correct horse battery staple';
let counter = 0;
const newEmail = () => `person-${++counter}@example.com`;
const queued = async () => (await service.query('select from mail_messages')).length;
/** Waits until everything was sent. */
const settle = () => waitFor(async () => (await queued()) === 0);

async function receive(email: string, count = 1) {
  await waitFor(() => server.to(email).length >= count);
  await settle();
  expect(server.to(email)).toHaveLength(count);
  const [mail] = server.to(email);
  if (mail === undefined) throw new Error(`There is no mail to ${email}.`);
  return mail;
}

async function invite(member: Member, email: string): Promise<string> {
  const body = { email, roleId: member.roleId };
  const { status, body: invitation } = await call(service.url, 'POST /members', { token: member.token, body });
  expect(status).toBe(201);
  return (invitation as { link: string }).link;
}

/** Publishes an event, as the worker finds it. */
async function happen(member: Member, type: Parameters<typeof publish>[1]['type'], data: object): Promise<void> {
  const { organizationId } = member;
  await service.app
    .get(DataSource)
    .transaction((manager) => publish(manager, { organizationId, type, data: { ...data } }));
  await waitFor(async () => {
    const [found] = await service.query<{ isDone: boolean }>(
      `select (select max(position) from events) = (select position from mail_progress)
         and not exists (select from events where position is null) as "isDone"`,
    );
    return found?.isDone === true;
  });
  await settle();
}

describe('An invitation', () => {
  it('should be mailed once, as text and HTML, with the link of the response', async () => {
    const member = await createMember(service);
    const email = newEmail();
    const link = await invite(member, email);
    const mail = await receive(email);
    expect(mail.from?.text).toBe('"Keycard" <keycard@example.com>');
    expect(mail.subject).toMatch(/^Invitation to Organization /);
    expect(link).toBe(`http://127.0.0.1:3000/accept-invitation#token=${tokenIn(mail)}`);
    expect(mail.html).toContain(link);
    expect(mail.headers.has('list-unsubscribe')).toBe(false);
    const body = { token: tokenIn(mail), name: 'Ada Lovelace', password };
    expect((await call(service.url, 'POST /auth/accept-invitation', { body })).status).toBe(200);
  });

  it('should not be mailed if it was withdrawn before', async () => {
    const member = await createMember(service);
    const email = newEmail();
    server.treat = () => 'defer';
    const attempts = server.attempts;
    await invite(member, email);
    await waitFor(() => server.attempts > attempts);
    await service.query('delete from invitations where email = $1', [email]);
    server.treat = () => 'accept';
    await settle();
    expect(server.to(email)).toEqual([]);
  });

  it('should leave its secret neither in the database nor in logs', async () => {
    const member = await createMember(service);
    const email = newEmail();
    server.treat = () => 'defer';
    const attempts = server.attempts;
    const [, token = ''] = (await invite(member, email)).split('#token=');
    await waitFor(() => server.attempts > attempts);
    const dump = await dumpDatabase(service);
    server.treat = () => 'accept';
    await settle();
    expect(dump).toContain(email);
    for (const text of [dump, ...replicas.flatMap(({ logLines }) => logLines)]) expect(text).not.toContain(token);
    expect(replicas.flatMap(({ logLines }) => logLines).join('')).not.toContain(email);
  });

  it('should escape names in HTML', async () => {
    const member = await createMember(service);
    await service.query(`update organizations set name = '<b>Bank</b> & Co' where id = $1`, [member.organizationId]);
    const email = newEmail();
    await invite(member, email);
    const { html, text, subject } = await receive(email);
    expect(html).toContain('&lt;b&gt;Bank&lt;/b&gt; &amp; Co');
    expect(html).not.toContain('<b>');
    expect(text).toContain('“<b>Bank</b> & Co”');
    expect(subject).toBe('Invitation to <b>Bank</b> & Co');
  });
});

describe('POST /auth/request-password-reset', () => {
  const request = (email: string) => call(service.url, 'POST /auth/request-password-reset', { body: { email } });
  afterEach(() => service.query('delete from rate_limits'));

  it('should mail a link that sets a new password once', async () => {
    const email = newEmail();
    const { organizationId } = await createMember(service, { email, passwordHash: await hashPassword(password) });
    expect((await request(email.toUpperCase())).status).toBe(202);
    const token = tokenIn(await receive(email));
    const body = { token, newPassword: `${password}, changed` };
    expect((await call(service.url, 'POST /auth/reset-password', { body })).status).toBe(200);
    expect((await call(service.url, 'POST /auth/reset-password', { body })).status).toBe(404);
    const events = await service.query(
      `select from audit_events where action = 'password.reset-request' and organization_id = $1`,
      [organizationId],
    );
    expect(events).toHaveLength(1);
  });

  it('should respond the same for an unknown email, and mail nothing', async () => {
    const email = newEmail();
    await createMember(service, { email });
    const [known, unknown] = [await request(email), await request('nobody@example.com')];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await receive(email);
    expect(server.to('nobody@example.com')).toEqual([]);
  });

  it('should let the newest link work', async () => {
    const email = newEmail();
    await createMember(service, { email });
    await request(email);
    await receive(email);
    await request(email);
    await waitFor(() => server.to(email).length === 2);
    const [first, second] = server.to(email).map(tokenIn);
    const reset = (token = '') =>
      call(service.url, 'POST /auth/reset-password', { body: { token, newPassword: `${password}, changed` } });
    expect((await reset(first)).status).toBe(404);
    expect((await reset(second)).status).toBe(200);
  });

  it('should return 429 after several requests for an email, and 400 without one', async () => {
    const email = newEmail();
    const statuses = [];
    for (let round = 0; round < 4; round++) statuses.push((await request(email)).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
    expect((await request('nobody')).status).toBe(400);
    await settle();
  });
});

describe('A sign-in', () => {
  const signIn = (email: string, userAgent: string) =>
    call(service.url, 'POST /auth/sign-in', { body: { email, password }, headers: { 'user-agent': userAgent } });
  const firefox = (version: number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Firefox/${version}.0`;

  it('should be mailed from a new browser, but not the first time, nor after an update', async () => {
    const email = newEmail();
    await createMember(service, { email, passwordHash: await hashPassword(password) });
    await service.query('delete from known_devices');
    expect((await signIn(email, firefox(140))).status).toBe(200);
    await signIn(email, firefox(141));
    await settle();
    expect(server.to(email)).toEqual([]);
    await signIn(email, 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0');
    const { subject, text } = await receive(email);
    expect(subject).toBe('Sign-in from a new device');
    expect(text).toContain('IP address: 127.0.0.1');
    expect(text).toContain('Chrome/140.0');
  });
});

describe('Mail about an event', () => {
  const budget = { metric: 'cost', per: 'month', max: '25', charged: '20', percent: 80 };

  async function createOrganization() {
    const [creator, manager, auditor] = [newEmail(), newEmail(), newEmail()];
    const member = await createMember(service, { email: creator, permissions: ['create-api-keys'] });
    const { organizationId } = member;
    await createMember(service, { organizationId, email: manager });
    await createMember(service, { organizationId, email: auditor, permissions: ['get-audit-events'] });
    const outsider = newEmail();
    await createMember(service, { email: outsider });
    const { id, key } = await createApiKey(service, member, 'Search indexer');
    return {
      member,
      creator,
      manager,
      auditor,
      outsider,
      key,
      apiKey: { id, name: 'Search indexer', hint: key.slice(0, 8) },
    };
  }

  it.each(['disable', 'delete'])('should tell creator and those who may delete keys of a leak (%s)', async (onLeak) => {
    const { member, creator, manager, auditor, outsider, key } = await createOrganization();
    await service.query('update organizations set on_leak = $1 where id = $2', [onLeak, member.organizationId]);
    const body = [{ token: key, url: 'https://github.com/example/repository', source: 'commit' }];
    expect((await call(service.url, 'POST /leaked-keys', { body })).status).toBe(200);
    for (const email of [creator, manager]) {
      const { subject, text = '', headers } = await receive(email);
      expect(subject).toBe('API key Search indexer leaked');
      expect(text).toContain('commit, https://github.com/example/repository');
      expect(text).not.toContain(key.slice(8));
      expect(headers.has('list-unsubscribe')).toBe(false);
    }
    expect([...server.to(auditor), ...server.to(outsider)]).toEqual([]);
  });

  it('should tell only the creator of an expiring key, unless they have left', async () => {
    const { member, creator, manager, apiKey } = await createOrganization();
    const data = { apiKey, expiresAt: '2026-12-05T09:30:00.000Z', daysLeft: 7 };
    await happen(member, 'api_key.expiring', data);
    expect((await receive(creator)).subject).toBe('API key Search indexer expires in 7 days');
    expect(server.to(manager)).toEqual([]);
    await service.query('delete from memberships where user_id = $1', [member.userId]);
    await happen(member, 'api_key.expiring', { ...data, daysLeft: 1 });
    expect((await receive(manager)).subject).toBe('API key Search indexer expires in a day');
    expect(server.to(creator)).toHaveLength(1);
  });

  it('should tell of a threshold, and once of exhaustion', async () => {
    const { member, creator, apiKey } = await createOrganization();
    await happen(member, 'limit.threshold_reached', { apiKey, ...budget });
    expect((await receive(creator)).subject).toBe('Budget at 80%: Search indexer');
    const exhausted = { apiKey, ...budget, charged: '25', percent: 100 };
    await happen(member, 'limit.threshold_reached', exhausted);
    await happen(member, 'limit.exhausted', exhausted);
    expect(server.to(creator).map(({ subject }) => subject)).toEqual([
      'Budget at 80%: Search indexer',
      'Budget exhausted: Search indexer',
    ]);
  });

  it('should tell those who may change the organization of its own budget, and of webhooks', async () => {
    const { member, creator, manager } = await createOrganization();
    const { organizationId: id } = member;
    await happen(member, 'limit.exhausted', { organization: { id, name: 'Research' }, ...budget, percent: 100 });
    await happen(member, 'webhook.disabled', { webhook: { id, host: 'example.com' }, reason: 'failing' });
    await receive(manager, 2);
    expect(server.to(manager).map(({ subject }) => subject)[1]).toBe('Webhook to example.com disabled');
    expect(server.to(creator)).toEqual([]);
  });

  it('should not be sent to users who turned its kind off, unless it is about security', async () => {
    const { member, creator, apiKey, key } = await createOrganization();
    const kinds = ['webhook-disabled', 'key-expiring', 'limit-reached'];
    const changed = await call(service.url, 'PATCH /auth/me', { token: member.token, body: { mutedMail: kinds } });
    expect(changed.body).toMatchObject({ user: { mutedMail: ['key-expiring', 'limit-reached', 'webhook-disabled'] } });
    await happen(member, 'api_key.expiring', { apiKey, expiresAt: '2026-12-05T09:30:00.000Z', daysLeft: 7 });
    await happen(member, 'limit.threshold_reached', { apiKey, ...budget });
    expect(server.to(creator)).toEqual([]);
    await call(service.url, 'POST /leaked-keys', { body: [{ token: key }] });
    await receive(creator);
  });

  it('should say how to turn it off', async () => {
    const { member, creator, apiKey } = await createOrganization();
    await happen(member, 'limit.threshold_reached', { apiKey, ...budget });
    const { headers, text } = await receive(creator);
    expect(JSON.stringify(headers.get('list'))).toContain('http://127.0.0.1:3000/dashboard/account');
    expect(text).toContain('http://127.0.0.1:3000/dashboard/account');
  });
});

describe('PATCH /auth/me', () => {
  it.each([['key-leaked'], ['unknown'], [1]])('should not turn off %j', async (kind) => {
    const { token } = await createMember(service);
    const { status, body } = await call(service.url, 'PATCH /auth/me', { token, body: { mutedMail: [kind] } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'mutedMail' }] });
  });

  it('should change only what it names', async () => {
    const { token } = await createMember(service);
    await call(service.url, 'PATCH /auth/me', { token, body: { mutedMail: ['limit-reached'] } });
    const { body } = await call(service.url, 'PATCH /auth/me', { token, body: { name: 'Ada Lovelace' } });
    expect(body).toMatchObject({ user: { name: 'Ada Lovelace', mutedMail: ['limit-reached'] } });
  });
});
