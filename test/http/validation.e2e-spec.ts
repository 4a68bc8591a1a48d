import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
beforeAll(async () => {
  member = await createMember(service);
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
const tooMany = {
  status: 400,
  body: {
    detail: 'The request must not have more than 500 fields and objects, and 4000 texts and numbers in lists.',
  },
};

describe('A request with too many values', () => {
  it.each<[string, unknown]>([
    ['fields', { name: 'abc', ...keys(600) }],
    ['fields of an object in it', { name: keys(600) }],
    ['items of an array', { name: 'abc', permissions: Array.from({ length: 600 }, () => ({})) }],
    ['nested items', { name: 'abc', permissions: Array.from({ length: 600 }, () => [1, 2]) }],
    ['texts', { name: 'abc', permissions: Array.from({ length: 4001 }, () => 'a') }],
    [
      'texts in several lists',
      { name: 'abc', permissions: Array.from({ length: 401 }, () => Array.from({ length: 10 }, () => 'a')) },
    ],
  ])('should be rejected with 400 before its %s are validated', async (_title, body) => {
    expect(await call(service.url, 'POST /roles', { token: member.token, body })).toMatchObject(tooMany);
  });

  it('should be rejected if they are in its URL', async () => {
    const query = Object.keys(keys(600)).join('=&');
    expect(await call(service.url, `GET /api-keys?${query}`, { token: member.token })).toMatchObject(tooMany);
  });

  it('should get the usual validation errors at lower numbers', async () => {
    const { status, body } = await call(service.url, 'POST /roles', { token: member.token, body: keys(20) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation-failed' });
  });
});

describe('A body in an encoding other than UTF-8', () => {
  it('should be rejected instead of being stored with replaced characters', async () => {
    const response = await fetch(`${service.url}/roles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' },
      body: Buffer.from('{"name":"Schlüssel","permissions":[]}', 'latin1'),
    });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect([response.status, code, detail]).toEqual([400, 'malformed-request', 'The body is not valid UTF-8.']);
    expect(await service.query(`select name from roles where name like 'Schl%'`)).toEqual([]);
  });
});

describe('A JSON body with a duplicate field', () => {
  it.each([
    ['name', '{"name":"First","name":"Second","permissions":[]}'],
    ['name', '{"name":"First","permissions":[],"n\\u0061me" : "Second"}'],
    ['limits.1.max', '{"name":"First","limits":[{"max":1},{"note":"}],{\\"","max":1,"max":2}]}'],
  ])('should be rejected with 400 naming %s', async (field, rawBody) => {
    const headers = { 'content-type': 'application/json' };
    const response = await call(service.url, 'POST /roles', { token: member.token, rawBody, headers });
    const message = `${field} must be sent once.`;
    expect(response).toMatchObject({ status: 400, body: { detail: message, errors: [{ field, message }] } });
  });
});
