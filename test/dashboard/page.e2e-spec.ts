import { startAppWithDashboard } from '../setup/built-dashboard.js';
import { type Answer, call } from '../setup/call.js';
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
function policyOf({ headers }: Answer): Record<string, string> {
  const parts = (headers.get('content-security-policy') ?? '').split('; ');
  return Object.fromEntries(
    parts.map((part): [string, string] => [part.replace(/ .*/, ''), part.replace(/^\S+ /, '')]),
  );
}

const noncesOf = ({ text }: Answer) => [...text.matchAll(/ nonce="([^"]*)"/g)].map(([, nonce]) => nonce ?? '');
const nonceOf = (answer: Answer) => /'nonce-([\w-]{22})'/.exec(policyOf(answer)['style-src'] ?? '')?.[1];

const startApp = useAppStarter();

describe('The dashboard page', () => {
  const service = useStarted(startAppWithDashboard);

  it.each(pages)('should be served at %s', async (path) => {
    const answer = await call(service.url, `GET ${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('<div id="root">');
  });

  it("should use the policy's nonce everywhere, and each nonce once", async () => {
    const answers = [await call(service.url, 'GET /'), await call(service.url, 'GET /')];
    for (const answer of answers) {
      expect(noncesOf(answer)).not.toEqual([]);
      expect(new Set(noncesOf(answer))).toEqual(new Set([nonceOf(answer)]));
      expect(answer.text).not.toContain('CSP_NONCE');
    }
    expect(new Set(answers.map(nonceOf)).size).toBe(2);
  });

  it('should be allowed to load files from the service only', async () => {
    const answer = await call(service.url, 'GET /dashboard/keys');
    expect(policyOf(answer)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': `'self' 'nonce-${nonceOf(answer)}'`,
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

  it('should contain no script, style or URL the policy forbids', async () => {
    const { text } = await call(service.url, 'GET /');
    expect([...text.matchAll(/<script(?![^>]* src="\/assets\/)[^>]*>/g)]).toEqual([]);
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
    const answer = await call(service.url, 'HEAD /dashboard/keys');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toBe('');
  });

  it.each(['POST /', 'POST /dashboard/x', 'DELETE /sign-in'])('should not respond to %s', async (route) => {
    const answer = await call(service.url, route);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'route-not-found' });
  });

  it.each(['/api-keys', '/usage', '/members', '/auth/me'])(
    'should leave GET %s to the API, even for browsers',
    async (path) => {
      const answer = await call(service.url, `GET ${path}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'missing-credential' });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it.each(['/nope', '/dashboards', '/sign-in/x'])('should return 404 at %s', async (path) => {
    const answer = await call(service.url, `GET ${path}`, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('The API documentation page', () => {
  it.each(['/docs', '/docs/swagger-ui-bundle.js'])('should forbid framing: %s', async (path) => {
    const service = await startApp();
    const { status, headers } = await call(service.url, `GET ${path}`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
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
    const answer = await call(service.url, 'GET /');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ detail: 'No route matches this method and path.' });
  });
});
