import { fastify, type FastifyInstance } from 'fastify';
import { readRefreshTokens, setRefreshCookie } from './refresh-cookie.js';

let server: FastifyInstance;

beforeAll(() => {
  server = fastify({ trustProxy: '10.0.0.1' });
  server.get('/', (request, reply) => {
    setRefreshCookie(request, reply, 'a.token');
    return { received: readRefreshTokens(request) };
  });
});
afterAll(() => server.close());

const get = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  server.inject({ url: '/', headers, remoteAddress });

const hostCookies = [
  '__Host-keycard_refresh=a.token; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Strict',
  'keycard_signed_in=yes; Max-Age=1209600; Path=/; Secure; SameSite=Strict',
];

describe('The refresh cookie and the session mark', () => {
  it.each(['localhost:3000', '127.0.0.1', '127.8.9.1:80', '[::1]:3000'])(
    'should not be Secure on %s without TLS',
    async (host) => {
      const { headers } = await get({ host });
      expect(headers['set-cookie']).toEqual([
        'keycard_refresh=a.token; Max-Age=1209600; Path=/auth; HttpOnly; SameSite=Strict',
        'keycard_signed_in=yes; Max-Age=1209600; Path=/; SameSite=Strict',
      ]);
    },
  );

  it.each(['keycard.example.com', '192.168.1.2:3000', '127.evil.example', 'localhost.example.com', '[2001:db8::1]'])(
    'should be Secure and bound to the host on %s',
    async (host) => {
      expect((await get({ host })).headers['set-cookie']).toEqual(hostCookies);
    },
  );

  it('should be Secure on loopback if a trusted proxy reports TLS', async () => {
    const headers = { host: 'localhost', 'x-forwarded-proto': 'https' };
    expect((await get(headers, '10.0.0.1')).headers['set-cookie']).toEqual(hostCookies);
  });

  it.each([
    ['keycard_refresh=a.token', ['a.token']],
    ['other=1; keycard_refresh=a.token;last=2', ['a.token']],
    ['keycard_refresh=first; keycard_refresh=second', ['first', 'second']],
    ['keycard_refresh=', []],
    ['not_keycard_refresh=a.token', []],
    ['keycard_refresh', []],
    ['; =;', []],
    ['keycard_refresh=a.token; KEYCARD_REFRESH=b', ['a.token']],
    ['__proto__=1; keycard_refresh=a.token', ['a.token']],
  ])('should be read from %j on loopback without TLS', async (cookie, received) => {
    expect((await get({ cookie, host: 'localhost' })).json()).toEqual({ received });
  });

  it('should be read only with the prefix elsewhere, because a sibling domain can set the bare name', async () => {
    const cookie = 'keycard_refresh=of.sibling; __Host-keycard_refresh=a.token';
    const { payload } = await get({ cookie, host: 'keycard.example.com' });
    expect(JSON.parse(payload)).toEqual({ received: ['a.token'] });
  });
});
