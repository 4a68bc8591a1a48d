import { createHash } from 'node:crypto';
import { startAppWithDashboard } from '../setup/built-dashboard.js';
import { type CallResponse, call } from '../setup/call.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { useAppStarter, useStarted } from '../setup/use-test-app.js';

const pages = [
  '/',
  '/sign-in',
  '/accept-invitation',
  '/dashboard',
  '/dashboard/',
  '/dashboard/keys?page=2',
  '/dashboard/a/b',
];

/** Returns the directives of a Content-Security-Policy by name. */
function policyOf({ headers }: CallResponse): Record<string, string> {
  const parts = (headers.get('content-security-policy') ?? '').split('; ');
  return Object.fromEntries(
    parts.map((part): [string, string] => [part.replace(/ .*/, ''), part.replace(/^\S+ /, '')]),
  );
}

const noncesOf = ({ text }: CallResponse) => [...text.matchAll(/ nonce="([^"]*)"/g)].map(([, nonce]) => nonce ?? '');
const nonceOf = (response: CallResponse) => /'nonce-([\w-]{22})'/.exec(policyOf(response)['style-src'] ?? '')?.[1];

const startApp = useAppStarter();

/** Of the scripts within a page. */
function hashesOf({ text }: CallResponse): string[] {
  return Array.from(text.matchAll(/<script nonce="[^"]*">(.*?)<\/script>/gs), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

describe('The dashboard page', () => {
  const service = useStarted(startAppWithDashboard);

  it.each(pages)('should be served at %s', async (path) => {
    const response = await call(service.url, `GET ${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.text).toContain('<div id="root">');
  });

  it("should use the policy's nonce everywhere, and each nonce once", async () => {
    const responses = [await call(service.url, 'GET /'), await call(service.url, 'GET /')];
    for (const response of responses) {
      expect(noncesOf(response)).not.toEqual([]);
      expect(new Set(noncesOf(response))).toEqual(new Set([nonceOf(response)]));
      expect(response.text).not.toContain('CSP_NONCE');
    }
    expect(new Set(responses.map(nonceOf)).size).toBe(2);
  });

  it('should be allowed to load files from the service only, and to run the scripts that the build has written into it', async () => {
    const response = await call(service.url, 'GET /dashboard/keys');
    expect(policyOf(response)).toEqual({
      'default-src': "'none'",
      'script-src': ["'self'", ...hashesOf(response)].join(' '),
      'style-src': `'self' 'nonce-${nonceOf(response)}'`,
      'img-src': "'self' blob: data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'worker-src': "'self'",
      'manifest-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
  });

  it('should contain nothing that its policy blocks', async () => {
    const response = await call(service.url, 'GET /');
    const { text } = response;
    expect(hashesOf(response)).toHaveLength([...text.matchAll(/<script(?![^>]* src="\/assets\/)[^>]*>/g)].length);
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|https?:\/\//);
  });

  it('should forbid caching, framing and referrers', async () => {
    const { headers } = await call(service.url, 'GET /accept-invitation');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('should respond to HEAD without a body', async () => {
    const response = await call(service.url, 'HEAD /dashboard/keys');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.text).toBe('');
  });

  it.each(['POST /', 'POST /dashboard/x', 'DELETE /sign-in'])('should not be served for %s', async (route) => {
    const response = await call(service.url, route);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ code: 'route-not-found' });
  });

  it.each(['/api-keys', '/usage', '/members', '/auth/me'])(
    'should leave GET %s to the API, even for browsers',
    async (path) => {
      const response = await call(service.url, `GET ${path}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({ code: 'missing-credential' });
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it.each(['/nope', '/dashboards', '/sign-in/x'])('should return 404 at %s', async (path) => {
    const response = await call(service.url, `GET ${path}`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('A service with an unbuilt dashboard', () => {
  it('should name the build command in the log and the response, and serve the API', async () => {
    const folder = await makeTemporaryFolder();
    const service = await startApp({ config: { dashboardFolder: folder.path } });
    const page = await call(service.url, 'GET /');
    const live = await call(service.url, 'GET /health/live');
    await folder.remove();
    expect(page.status).toBe(404);
    expect(page.body).toMatchObject({ detail: expect.stringContaining('npm run build:dashboard') as string });
    expect(service.logLines.filter((line) => line.includes('npm run build:dashboard'))).toHaveLength(1);
    expect(live.status).toBe(200);
  });
});

describe('A service without a dashboard', () => {
  it('should serve only the API', async () => {
    const service = await startApp();
    const response = await call(service.url, 'GET /');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ detail: 'No route matches this method and path.' });
  });
});
