import { generateApiKey, hashApiKey } from '../../src/api-keys/api-key.token.js';
import { maxReports } from '../../src/leaked-keys/read-reports.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { useTestApp } from '../setup/use-test-app.js';
import { createMemberOn, place, readKey, readLeakEvents, report, statusOf } from './reports.js';

const service = useTestApp();
afterEach(() => service.query('delete from rate_limits'));

const send = (body: unknown) => call(service.url, 'POST /leaked-keys', { body });

describe('POST /leaked-keys', () => {
  it.each<[string, unknown, string]>([
    ['a report that is a text', ['kc_'], '0'],
    ['a report without a token', [{ url: place.url }], '0.token'],
    ['a token that is a number', [{ token: 'a' }, { token: 1 }], '1.token'],
    ['a token that is too long', [{ token: 'k'.repeat(900_000) }], '0.token'],
    ['a URL without a scheme', [{ token: 'a', url: 'github.com' }], '0.url'],
    ['a URL with a script', [{ token: 'a', url: 'javascript:alert(1)' }], '0.url'],
    ['a URL with data', [{ token: 'a', url: 'data:text/html,<script>' }], '0.url'],
    ['a URL that is too long', [{ token: 'a', url: `https://example.com/${'x'.repeat(4096)}` }], '0.url'],
    ['a URL that is an object', [{ token: 'a', url: {} }], '0.url'],
    ['a URL that reads from right to left', [{ token: 'a', url: 'https://example.com/\u202egpj.exe' }], '0.url'],
    ['a source that is too long', [{ token: 'a', source: 'x'.repeat(101) }], '0.source'],
    ['a source with a line break', [{ token: 'a', source: 'a\nb' }], '0.source'],
    ['a source with half a surrogate pair', [{ token: 'a', source: '\ud800' }], '0.source'],
    ['a type that is a list', [{ token: 'a', type: [] }], '0.type'],
  ])('should reject %s with 400, and name the field', async (_title, body, field) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation-failed', errors: [{ field }] });
  });

  it.each<[string, unknown]>([
    ['an object', { token: 'a' }],
    ['nothing', undefined],
    ['10,000 reports', Array.from({ length: 10_000 }, () => ({ token: 'a' }))],
    [`${maxReports + 1} reports`, Array.from({ length: maxReports + 1 }, () => ({ token: 'a' }))],
  ])('should reject %s with 400', async (_title, body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      detail: `The body must be an array of at most ${maxReports} reports.`,
    });
  });

  it('should reject a body of more than 1 MB with 413', async () => {
    expect((await send([{ token: 'x'.repeat(1024 * 1024) }])).status).toBe(413);
  });

  it('should find a key among many other tokens, however often it was sent', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    const others = Array.from({ length: maxReports - 3 }, () => ({ token: generateApiKey(), ...place }));
    const labels = await report(service, { token: key }, ...others, { token: key, ...place }, { token: key });
    expect(labels.filter((label) => label === 'true_positive')).toHaveLength(3);
    expect([labels[0], labels.at(-2), labels.at(-1)]).toEqual(Array.from({ length: 3 }, () => 'true_positive'));
    expect(await readLeakEvents(service, member)).toHaveLength(2);
  });

  it('should take any text as a token', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const tokens = ['', ' ', '\0', '\ud800', '🔑', 'ｋｃ＿', `${key} `, ` ${key}`, key.slice(0, -1), key.toLowerCase()];
    const { status, body } = await send(tokens.map((token) => ({ token })));
    expect(status).toBe(200);
    expect(body).toEqual(
      tokens.map((token) => ({ token_raw: token, token_type: 'keycard_api_key', label: 'false_positive' })),
    );
    expect(await statusOf(service, key)).toBe(200);
  });

  it('should ignore unknown fields, and empty or missing details', async () => {
    const member = await createMember(service);
    const { id, key } = await createApiKey(service, member);
    const { status } = await send([{ token: key, url: '', source: null, type: '', repository: { owner: 'x' } }]);
    expect(status).toBe(200);
    expect((await readKey(service, member, id)).leak).toMatchObject({ url: null, source: null });
  });

  it('should return 429 to an address that sends reports without end, and not to others', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const limit = 300;
    for (let sent = 0; sent < limit; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, () => report(service, { token: 'a' })));
    }
    const { status, headers } = await send([{ token: key }]);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf(service, key)).toBe(200);
  });
});

describe('A reported secret', () => {
  it('should appear neither in the database, nor in logs, errors or other responses', async () => {
    const member = await createMemberOn(service, 'notify');
    const { id, key } = await createApiKey(service, member);
    const unknown = generateApiKey();
    const responses: string[] = [];
    for (const secret of [key, unknown]) {
      const encoded = `kc%5F${secret.slice(3)}`;
      await send([{ token: secret, url: `https://example.com/?key=${secret}`, source: secret }]);
      await send([{ token: secret, url: `https://user:${secret}@example.com/path` }]);
      await send([{ token: secret, url: `https://example.com/${encoded}` }]);
      responses.push((await send([{ token: secret, url: `ftp://example.com/${secret}` }])).text);
      responses.push((await send([{ token: secret, source: `${secret}${'x'.repeat(100)}` }])).text);
      responses.push((await send({ token: secret })).text);
      const rawBody = `[{"token":"${secret}"`;
      const headers = { 'content-type': 'application/json' };
      responses.push((await call(service.url, 'POST /leaked-keys', { rawBody, headers })).text);
      await service.query('alter table leak_reports rename to leak_reports_away');
      const failed = await send([{ token: secret }]);
      expect(failed.status).toBe(500);
      responses.push(failed.text);
      await service.query('alter table leak_reports_away rename to leak_reports');
    }
    responses.push(JSON.stringify(await readKey(service, member, id)));
    responses.push((await call(service.url, 'GET /audit-events', { token: member.token })).text);
    const dump = await dumpDatabase(service);
    const logs = service.logLines.join('');
    expect(logs).toContain('"level":50');
    expect(dump).toContain('api-key.leak');
    expect(dump).toContain('https://example.com');
    for (const secret of [key, unknown]) {
      for (const text of [dump, logs, ...responses]) expect(text).not.toContain(secret.slice(8));
      const hash = hashApiKey(secret).toString('hex');
      for (const text of [logs, ...responses]) expect(text).not.toContain(hash);
    }
  });
});
