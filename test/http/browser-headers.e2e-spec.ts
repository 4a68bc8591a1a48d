import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { withRefreshToken } from '../setup/cookies.js';
import type { TestApp } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';

const page = 'https://app.example.com';
/** By the Fetch standard. */
const readableByDefault = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires'];
/** Cookies are for browsers, the others for proxies that call `/v1/authorize`. */
const notForScripts = ['set-cookie', 'x-keycard-key-id', 'x-keycard-key-name', 'x-keycard-organization-id'];
const throughTls = { 'x-forwarded-proto': 'https' };

interface Responses {
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Responses>>;
  components: Responses;
}

const plain = useTestApp();
const open = useTestApp({ config: { publicUrl: 'https://keycard.example.com', corsOrigins: [page] } });
const proxied = useTestApp({ config: { publicUrl: 'http://127.0.0.1:3000', trustProxy: true } });

async function header({ url }: TestApp, name: string, headers: Record<string, string>, route = 'GET /health/live') {
  return (await call(url, route, { headers })).headers.get(name);
}

describe('CORS', () => {
  const preflight = (origin: string) =>
    call(open.url, 'OPTIONS /api-keys', {
      headers: {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization',
      },
    });

  it('should allow listed origins', async () => {
    const { status, headers } = await preflight(page);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
  });

  it('should let listed origins read the headers that clients need', async () => {
    const { headers } = await call(open.url, 'GET /health/live', { headers: { origin: page } });
    expect(headers.get('access-control-expose-headers')?.split(/, ?/)).toEqual([
      'location',
      'x-request-id',
      'retry-after',
      'x-should-retry',
      'ratelimit',
      'ratelimit-policy',
      'retry-after-ms',
      'x-ratelimit-limit-requests',
      'x-ratelimit-limit-tokens',
      'x-ratelimit-remaining-requests',
      'x-ratelimit-remaining-tokens',
      'x-ratelimit-reset-requests',
      'x-ratelimit-reset-tokens',
      'x-keycard-cost',
      'x-keycard-budget-remaining',
      'x-keycard-model',
      'x-keycard-output-limit',
      'request-id',
      'x-keycard-warning',
      'content-disposition',
      'www-authenticate',
    ]);
  });

  it('should let listed origins read every response header in openapi.json', async () => {
    const { headers, body } = await call(open.url, 'GET /openapi.json', { headers: { origin: page } });
    const exposed = headers.get('access-control-expose-headers')?.split(/, ?/) ?? [];
    const { paths, components } = body as OpenApiDocument;
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const documented = [components, ...operations]
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    expect(documented).toContain('content-disposition');
    const readable = new Set([...exposed, ...readableByDefault, ...notForScripts]);
    expect([...new Set(documented)].filter((name) => !readable.has(name))).toEqual([]);
  });

  it('should not let listed origins use the refresh cookie', async () => {
    const { refreshToken } = await createMember(open);
    const headers = { ...withRefreshToken(refreshToken), origin: page, 'sec-fetch-site': 'cross-site' };
    expect((await call(open.url, 'POST /auth/refresh', { headers })).status).toBe(403);
  });

  it('should not allow other origins', async () => {
    const { headers } = await preflight('https://evil.example.com');
    expect(headers.get('access-control-allow-origin')).not.toBe('https://evil.example.com');
  });

  it('should not allow any origin without CORS_ORIGINS', async () => {
    expect(await header(plain, 'access-control-allow-origin', { origin: page })).toBeNull();
  });
});

describe('Strict-Transport-Security', () => {
  const name = 'strict-transport-security';

  it('should be sent if a trusted proxy reports TLS', async () => {
    expect(await header(proxied, name, throughTls)).toBe('max-age=31536000');
    expect(await header(proxied, name, throughTls, 'GET /nothing')).toBe('max-age=31536000');
    expect(await header(proxied, name, {})).toBeNull();
  });

  it('should be sent if PUBLIC_URL uses https', async () => {
    expect(await header(open, name, {})).toBe('max-age=31536000');
  });

  it('should not be sent if an untrusted client claims TLS', async () => {
    expect(await header(plain, name, throughTls)).toBeNull();
  });
});
